import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Ctx } from '../context.ts';
import { isPublicAddress } from '../outside/public-address.ts';

/** How a request does not fit the number of proxies that the operator calls their own. */
export type Misfit = 'noProxyTrusted' | 'fewerHops' | 'moreHops';

const sentences: Readonly<Record<Misfit, string>> = {
  noProxyTrusted:
    'a request came with X-Forwarded-For although TRUSTED_PROXIES is 0: if a proxy of yours stands before Lavra, the address in every ' +
    'signer’s evidence is the proxy’s, and all share one limit; set TRUSTED_PROXIES to the number of your proxies',
  fewerHops:
    'a request passed fewer proxies than TRUSTED_PROXIES says: either the number is too high or Lavra’s port can be reached past the ' +
    'proxy, and then anybody writes the address that stands in the evidence; or a proxy does not add X-Forwarded-For',
  moreHops:
    'a request passed more proxies than TRUSTED_PROXIES says, and the address taken for the visitor’s is of an inner network: if the ' +
    'proxies are yours, the address in the evidence is one of theirs; set TRUSTED_PROXIES to the number of your proxies',
};

const seen = new WeakMap<Config, Misfit>();

/** How requests to this node did not fit, for its health; null: they did, or only strangers' did not. */
export function proxyMisfit(config: Config): Misfit | null {
  return seen.get(config) ?? null;
}

/**
 * The address of a request is evidence, and it hangs on one number. In production the log says, once for each way, that requests do
 * not fit it. Only a hint: anybody may send the header, and a forged one that fits cannot be told from a true one.
 */
export function watchProxyHops(app: FastifyInstance, ctx: Ctx): void {
  const { profile, trustedProxies } = ctx.config;
  if (profile !== 'prod') return;
  const told = new Set<Misfit>();
  app.addHook('onRequest', async (request) => {
    // Monitors ask past the proxy, and no evidence comes of it.
    if (request.url.startsWith('/management/')) return;
    const misfit = misfitOf(request, trustedProxies);
    if (misfit === null) return;
    // Without a proxy any visitor may send the header, and raises no alarm.
    if (misfit !== 'noProxyTrusted' || !isPublicAddress(addressOf(request.socket.remoteAddress))) seen.set(ctx.config, misfit);
    if (told.has(misfit)) return;
    told.add(misfit);
    ctx.log.warn({ variable: 'TRUSTED_PROXIES', trustedProxies, hops: hopsOf(request) }, sentences[misfit]);
  });
}

function misfitOf(request: FastifyRequest, trusted: number): Misfit | null {
  const hops = hopsOf(request);
  if (trusted === 0) return hops > 0 ? 'noProxyTrusted' : null;
  if (hops < trusted) return 'fewerHops';
  return hops > trusted && !isPublicAddress(addressOf(request.ip)) ? 'moreHops' : null;
}

const addressOf = (address = '') => address.replace(/^::ffff:/, '');

/** Each proxy adds the address that spoke to it. */
function hopsOf({ headers }: FastifyRequest): number {
  return [headers['x-forwarded-for'] ?? []]
    .flat()
    .join(',')
    .split(',')
    .filter((entry) => entry.trim() !== '').length;
}
