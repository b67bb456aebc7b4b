import * as api from '@lavra/api';
import { DomainError } from '@lavra/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../../context.ts';
import type { Routes } from '../../http/app.ts';
import { bearerToken, type Caller, callerOf, visitorOf } from '../../http/auth.ts';
import { route } from '../../http/route.ts';
import { localeFiles } from '../../http/locale-files.ts';
import { findPageFile } from '../../http/page-files.ts';
import { sendPublic, YEAR_SECONDS } from '../../http/send-public.ts';
import type { Locale } from '../../language/translator.ts';
import { clarityEnable } from './clarity-enable.ts';
import { getManagementInfo } from './get-management-info.ts';
import type { HealthReport } from './health.ts';
import { readPrometheus } from './read-prometheus.ts';

/** Address of the development mailbox, when the development world runs. */
export interface ManagementFacts {
  mailboxUrl: string | null;
  health: () => Promise<HealthReport>;
}

export function managementRoutes(facts: ManagementFacts): Routes {
  return (app, ctx) => {
    route(app, ctx, api.clarityEnable, (c, { actor }) => clarityEnable(c, actor));
    route(app, ctx, api.getManagementInfo, (c, { actor }) => getManagementInfo(c, actor, facts.mailboxUrl));
    let stopping = false;
    app.addHook('preClose', async () => {
      stopping = true;
    });
    const answer = async (reply: FastifyReply, withComponents: boolean) => {
      const { status, components } = await facts.health();
      const told = stopping ? 'DOWN' : status;
      return reply.code(told === 'UP' ? 200 : 503).send({ status: told, ...(withComponents ? { components } : {}) });
    };
    app.get('/management/health', async (request, reply) => {
      const { person } = await callerOrNobody(ctx, request);
      return answer(reply, person?.authorities.includes('ROLE_ADMIN') ?? false);
    });
    app.get('/management/health/readiness', (_request, reply) => answer(reply, true));
    app.get('/management/prometheus', async (request, reply) => {
      const { person } = await callerOf(ctx, request);
      const { type, text } = await readPrometheus(ctx, person ?? visitorOf(request), bearerToken(request));
      return reply.header('cache-control', 'no-store').type(type).send(text);
    });
    app.get('/management/health/liveness', () => ({ status: 'UP' }));
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

/** Whoever asks while the database is away is told so, and is nobody. */
function callerOrNobody(ctx: Ctx, request: FastifyRequest): Promise<Pick<Caller, 'person'>> {
  return callerOf(ctx, request).catch(() => ({ person: null }));
}
