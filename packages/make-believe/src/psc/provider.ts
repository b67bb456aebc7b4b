import type { IcpBrasilPki, IssuedCertificate } from '../icp-brasil/pki.ts';
import { authorize, decide, poll, telephone } from './authorize.ts';
import { type MakeBelievePscId, normally, type PscBehaviour, type PscCall, type PscQuirks, quirks } from './behaviour.ts';
import { json, type PscAnswer, type PscRequest, Refusal } from './exchange.ts';
import { certificateDiscovery, signature, userDiscovery } from './signing.ts';
import { newState, type PscHolder, type PscState } from './state.ts';
import { clientToken, registerApplication, token } from './tokens.ts';

/** One make-believe provider. */
export interface MakeBelievePsc {
  readonly id: MakeBelievePscId;
  readonly quirks: PscQuirks;
  /** Switches; change them at any time. */
  readonly behaviour: PscBehaviour;
  readonly state: PscState;
  /** Calls so far, in order: `token`, `signature` … */
  readonly asked: PscCall[];
  /** Milliseconds. */
  now(): number;
  /** A path of this provider, from the server's root. */
  path(name: string): string;
  /** The certificate that is shown for a holder, as the switch wants it. */
  certificateShown(holder: PscHolder): Promise<IssuedCertificate>;
}

export function createPsc(id: MakeBelievePscId, pki: IcpBrasilPki, now: () => Date): MakeBelievePsc {
  const behaviour = normally();
  const shown = new Map<string, Promise<IssuedCertificate>>();
  return {
    id,
    quirks: quirks[id],
    behaviour,
    state: newState(),
    asked: [],
    now: () => now().getTime(),
    path: (name) => `/${id.toLowerCase()}/v0/oauth/${name}`,
    certificateShown(holder) {
      const key = `${holder.number} ${behaviour.certificate}`;
      const known = shown.get(key) ?? certificateFor(pki, holder, behaviour, now());
      shown.set(key, known);
      return known;
    },
  };
}

/** Always over the holder's own key, so that nothing but the certificate is wrong. */
async function certificateFor(pki: IcpBrasilPki, holder: PscHolder, { certificate: kind }: PscBehaviour, now: Date) {
  const { keys } = holder.certificate;
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const person = { name: holder.name, cpf: holder.number };
  if (kind === 'other-cpf') return pki.issuePerson({ ...person, cpf: '11144477735' }, { keys });
  if (kind === 'expired') return pki.issuePerson(person, { keys, notBefore: ago(800), notAfter: ago(2) });
  if (kind === 'not-icp-brasil') return pki.issuePerson(person, { keys, tree: 'outside' });
  if (kind !== 'revoked') return holder.certificate;
  const revoked = await pki.issuePerson(person, { keys });
  pki.revoke(revoked, ago(1));
  return revoked;
}

type Handler = (psc: MakeBelievePsc, request: PscRequest) => PscAnswer | Promise<PscAnswer>;

const calls: Record<string, readonly [PscCall, Handler]> = {
  'POST user-discovery': ['user-discovery', userDiscovery],
  'GET authorize': ['authorize', authorize],
  'POST token': ['token', token],
  'POST client_token': ['client_token', clientToken],
  'GET certificate-discovery': ['certificate-discovery', certificateDiscovery],
  'POST signature': ['signature', signature],
  'POST application': ['application', registerApplication],
};

const pollPath = 'valid/api/v1/trusted-services/authentications';

/** Answers a request; `request.path` begins after the provider's own prefix. Null: as if nobody were there. */
export async function answer(psc: MakeBelievePsc, request: PscRequest): Promise<PscAnswer | null> {
  const { behaviour } = psc;
  if (!behaviour.reachable) return null;
  const name = request.path.replace(/^v0\/oauth\//, '');
  if (request.method === 'POST' && name === 'decision') return decide(psc, request);
  if (request.method === 'GET' && request.path === 'telefone' && psc.quirks.push) return telephone(psc);
  const [call, handle] = psc.quirks.push && name === pollPath ? (['poll', poll] as const) : (calls[`${request.method} ${name}`] ?? []);
  if (call === undefined || handle === undefined) return json({ error: 'invalid_request' }, 404);
  psc.asked.push(call);
  // Unreferenced: whoever stopped waiting need not wait for the end of the test either.
  if (behaviour.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, behaviour.delayMs).unref());
  const failing = failureOf(behaviour.fails[call]);
  if (failing !== null) return failing;
  try {
    return wrap(psc, await handle(psc, request));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return json({ error: error.error, error_description: 'Pedido recusado (faz de conta).' }, error.status);
  }
}

function failureOf(kind: PscBehaviour['fails'][PscCall]): PscAnswer | null {
  if (kind === 'error-200') return json({ error: 'server_error', error_description: 'Falha interna.' });
  if (kind === 'status-200') return json({ status: 'error', message: 'Não foi possível processar.' });
  if (kind === 'server-error') return json({ message: 'Falha interna.' }, 500);
  if (kind === 'too-many-requests') return { status: 429, body: '' };
  if (kind === 'not-json') return { status: 200, type: 'text/html', body: '<html><body>Em manutenção</body></html>' };
  return null;
}

function wrap({ quirks: { wrapped } }: MakeBelievePsc, given: PscAnswer): PscAnswer {
  return wrapped && given.type === 'application/json' ? { ...given, body: JSON.stringify(given.body) } : given;
}
