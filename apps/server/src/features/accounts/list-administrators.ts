import type { Ctx } from '../../context.ts';
import * as store from './administrators.store.ts';

/** Who administers the installation and can be written to. */
export function listAdministrators(ctx: Ctx): Promise<{ email: string; firstName: string; langKey: 'pt-br' | 'en' | 'es' }[]> {
  return store.listAdministrators(ctx);
}
