import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { parseCpf } from '@lavra/domain';
import {
  type ConfiguredPsc,
  configurePscs,
  createPscClient,
  isPscId,
  locatePsc,
  PscError,
  type PscErrorCode,
  type PscId,
  pscIds,
  type PscOutside,
  type SetupCheck,
} from '@lavra/psc';
import { callbackUrl } from '../features/signing/cloud/callback-url.ts';
import { type Config, readConfig } from '../config.ts';
import { describeStartFailure } from '../start-failure.ts';

export interface CommandOutside extends PscOutside {
  write(line: string): void;
}

const usage = `Provedores de certificado em nuvem: ${pscIds.join(', ')}

  npm run psc -- register VIDAAS --name "Nome que o signatário vê" --email voce@empresa.com.br [--comments "…"]
      cadastra esta instalação no provedor, onde ele oferece isso, e mostra as credenciais uma única vez
  npm run psc -- check BIRDID --cpf 529.982.247-25
      confere a configuração de um provedor com o CPF de quem administra`;

const words: Readonly<Record<PscErrorCode, string>> = {
  PSC_NOT_CONFIGURED: 'falta configurar: endereço, client_id ou client_secret',
  PSC_CREDENTIALS_REFUSED: 'o provedor não aceita o client_id ou o client_secret',
  PSC_NOT_OFFERED: 'este provedor não oferece isso; as credenciais vêm por contrato com ele',
  PSC_UNREACHABLE: 'não foi possível conectar: confira o endereço e a saída de rede deste servidor',
  PSC_TIMEOUT: 'o provedor não respondeu a tempo',
  PSC_UNAVAILABLE: 'o provedor responde, mas está fora do ar ou pede para esperar',
  PSC_REFUSED_BY_USER: 'a pessoa recusou',
  PSC_EXPIRED: 'o pedido ou o token já não vale',
  PSC_WRONG_HOLDER: 'outra pessoa autorizou',
  PSC_NO_CERTIFICATE: 'não há certificado',
  PSC_STATE_MISMATCH: 'a resposta é de outro pedido',
  PSC_TOO_MANY_HASHES: 'documentos demais de uma vez para este provedor',
  PSC_SCOPE_REFUSED: 'o provedor não dá a esta aplicação o direito de assinar',
  PSC_INVALID_REQUEST: 'o pedido não está completo',
  PSC_REQUEST_REFUSED: 'o provedor recusou sem dizer o motivo',
  PSC_BAD_ANSWER: 'a resposta não é a de um provedor da ICP-Brasil: confira o endereço',
  PSC_WRONG_HASH_COUNT: 'o provedor respondeu com assinaturas a mais ou a menos',
  PSC_BAD_SIGNATURE: 'o provedor respondeu com uma assinatura ilegível',
};

const steps: Readonly<Record<SetupCheck['step'], string>> = {
  credentials: 'Credenciais da aplicação',
  discovery: 'Busca de certificados pelo CPF',
};

/**
 * `register` and `check`, for who administers the installation. Prints no secret but the one that a provider has just given and
 * will not show again. Answers the exit code: 0 in order, 1 the provider or the set-up says no, 2 the command is not understood.
 */
export async function runPscCommand(
  args: readonly string[],
  config: Pick<Config, 'pscs' | 'publicUrl'>,
  outside: CommandOutside,
): Promise<number> {
  const { values, positionals } = readArguments(args);
  const [act, name = ''] = positionals;
  const id = name.toUpperCase();
  try {
    if (isPscId(id) && act === 'register' && values.name && values.email) {
      return await register(id, config, outside, { name: values.name, email: values.email, comments: values.comments ?? '' });
    }
    if (isPscId(id) && act === 'check' && values.cpf) return await check(id, config, outside, values.cpf);
  } catch (error) {
    if (!(error instanceof PscError)) throw error;
    outside.write(`${id}: ${words[error.code]} (${error.code})`);
    return 1;
  }
  outside.write(usage);
  return 2;
}

function readArguments(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = { name: text, email: text, comments: text, cpf: text };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch {
    return { values: {} as { name?: string; email?: string; comments?: string; cpf?: string }, positionals: [] };
  }
}

async function register(
  id: PscId,
  { pscs, publicUrl }: Pick<Config, 'pscs' | 'publicUrl'>,
  outside: CommandOutside,
  application: { name: string; email: string; comments: string },
): Promise<number> {
  if (publicUrl === null) {
    outside.write('LAVRA_PUBLIC_URL: falta; o provedor precisa saber para onde devolver o signatário');
    return 1;
  }
  const redirectUri = callbackUrl(publicUrl);
  const client = createPscClient([], outside);
  const given = await client.registerApplication(locatePsc(id, pscs[id] ?? {}), { ...application, redirectUris: [redirectUri] });
  outside.write(`${id}: aplicação cadastrada com o endereço de volta ${redirectUri}`);
  outside.write('Guarde agora na configuração da instalação (o provedor não mostra o segredo outra vez):');
  outside.write(`LAVRA_PSC_${id}_CLIENT_ID=${given.clientId}`);
  outside.write(`LAVRA_PSC_${id}_CLIENT_SECRET=${given.clientSecret}`);
  return 0;
}

async function check(
  id: PscId,
  { pscs, publicUrl }: Pick<Config, 'pscs' | 'publicUrl'>,
  outside: CommandOutside,
  typed: string,
): Promise<number> {
  const cpf = parseCpf(typed);
  if (cpf === null) {
    outside.write('--cpf: não é um CPF');
    return 2;
  }
  const configured = configurePscs(pscs);
  const done = await createPscClient(configured, outside).checkSetup(id, cpf);
  const psc = configured.find((one) => one.id === id);
  if (psc) outside.write(describe(psc));
  for (const { step, code } of done) outside.write(`${steps[step]}: ${code === null ? 'em ordem' : `${words[code]} (${code})`}`);
  outside.write(
    publicUrl === null
      ? 'LAVRA_PUBLIC_URL: falta; sem ela não se sabe que endereço de volta cadastrar'
      : `Endereço de volta que precisa estar cadastrado no provedor: ${callbackUrl(publicUrl)}`,
  );
  return done.every(({ code }) => code === null) ? 0 : 1;
}

function describe({ id, company, baseUrl, authorization, hashEncoding, maxHashes }: ConfiguredPsc): string {
  const asks = authorization === 'push' ? 'pede no telefone' : 'pede no navegador';
  const atOnce = maxHashes === null ? 'sem máximo conhecido' : `até ${maxHashes} documentos por pedido`;
  return `${id} (${company}) em ${baseUrl}: ${asks}, hash em ${hashEncoding}, ${atOnce}`;
}

if (import.meta.main) {
  const outside = {
    fetch,
    now: () => new Date(),
    random: (length: number) => randomBytes(length),
    write: (line: string) => void process.stdout.write(`${line}\n`),
  };
  try {
    process.exitCode = await runPscCommand(process.argv.slice(2), readConfig(process.env), outside);
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`);
    process.exitCode = 1;
  }
}
