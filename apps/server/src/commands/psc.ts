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
  type PscId,
  pscIds,
  type PscOutside,
} from '@lavra/psc';
import { callbackUrl } from '../features/signing/cloud/callback-url.ts';
import { type Config, readConfig } from '../config.ts';
import { terminalLanguage, terminalWords, type Words } from '../language/terminal.ts';
import { describeStartFailure } from '../start-failure.ts';

export interface CommandOutside extends PscOutside {
  write(line: string): void;
  say: Words;
}

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
    outside.write(`${id}: ${outside.say(`psc.${error.code}`)} (${error.code})`);
    return 1;
  }
  outside.write(outside.say('psc.usage', { providers: pscIds.join(', ') }));
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
    outside.write(outside.say('psc.noUrl'));
    return 1;
  }
  const redirectUri = callbackUrl(publicUrl);
  const client = createPscClient([], outside);
  const given = await client.registerApplication(locatePsc(id, pscs[id] ?? {}), { ...application, redirectUris: [redirectUri] });
  outside.write(outside.say('psc.registered', { id, address: redirectUri }));
  outside.write(outside.say('psc.keep'));
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
    outside.write(outside.say('psc.noCpf'));
    return 2;
  }
  const configured = configurePscs(pscs);
  const done = await createPscClient(configured, outside).checkSetup(id, cpf);
  const psc = configured.find((one) => one.id === id);
  if (psc) outside.write(describe(psc, outside.say));
  for (const { step, code } of done)
    outside.write(`${outside.say(`psc.${step}`)}: ${code === null ? outside.say('psc.good') : `${outside.say(`psc.${code}`)} (${code})`}`);
  outside.write(
    publicUrl === null ? outside.say('psc.noUrlToCheck') : outside.say('psc.returnAddress', { address: callbackUrl(publicUrl) }),
  );
  return done.every(({ code }) => code === null) ? 0 : 1;
}

function describe({ id, company, baseUrl, authorization, hashEncoding, maxHashes }: ConfiguredPsc, say: Words): string {
  const asks = say(authorization === 'push' ? 'psc.push' : 'psc.redirect');
  const atOnce = maxHashes === null ? say('psc.noMaximum') : say('psc.maximum', { max: maxHashes });
  return say('psc.described', { id, company, address: baseUrl, asks, encoding: hashEncoding, atOnce });
}

if (import.meta.main) {
  const outside = {
    fetch,
    now: () => new Date(),
    random: (length: number) => randomBytes(length),
    write: (line: string) => void process.stdout.write(`${line}\n`),
    say: terminalWords(terminalLanguage(process.env)),
  };
  try {
    process.exitCode = await runPscCommand(process.argv.slice(2), readConfig(process.env), outside);
  } catch (error) {
    process.stderr.write(`${describeStartFailure(error)}\n`);
    process.exitCode = 1;
  }
}
