import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { localeFiles } from '../../http/locale-files.ts';
import { findPageFile } from '../../http/page-files.ts';
import { sendPublic, YEAR_SECONDS } from '../../http/send-public.ts';
import type { Locale } from '../../language/translator.ts';
import { clarityEnable } from './clarity-enable.ts';
import { getManagementInfo } from './get-management-info.ts';

/** `mailboxUrl`: address of the development mailbox, when the development world runs. */
export function managementRoutes({ mailboxUrl }: { mailboxUrl: string | null }): Routes {
  return (app, ctx) => {
    route(app, ctx, api.clarityEnable, (c, { actor }) => clarityEnable(c, actor));
    route(app, ctx, api.getManagementInfo, (c, { actor }) => getManagementInfo(c, actor, mailboxUrl));
    const own = localeFiles(ctx.config.localesDir);
    app.get<{ Params: { file: string } }>('/i18n/:file', async (request, reply) => {
      const { file } = request.params;
      const known = own.get(file.replace(/(\.[\w-]{20})?\.json$/, '') as Locale);
      if (known && file === known.name) return sendPublic(request, reply, known.answer, YEAR_SECONDS);
      // Pages ask for their sentences by name, and may be of another version.
      const found = known && /\.[\w-]{20}\.json$/.test(file) ? await findPageFile(ctx, `i18n/${file}`) : null;
      if (found) return sendPublic(request, reply, found, YEAR_SECONDS);
      if (!known || !/^[a-z-]+\.json$/.test(file)) throw new DomainError('request.notFound');
      return sendPublic(request, reply, known.answer, 0);
    });
  };
}
