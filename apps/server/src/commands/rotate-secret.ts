import { text } from 'node:stream/consumers';
import { type Config, readConfig } from '../config.ts';
import { migrate, openDatabase } from '../db/client.ts';
import { type Rotation, rotateSecret } from '../installation/rotate-secret.ts';
import { describeStartFailure } from '../start-failure.ts';
import { StartFault } from '../start-fault.ts';
import { assertSomethingThere, withDatabase } from './existing-installation.ts';

const NEW = 'LAVRA_NEW_SECRET';
const usage = `npm run rotate-secret [-- --stdin]
    troca o segredo da instalação: o de hoje vem de LAVRA_SECRET ou do diretório de dados; o novo, de ${NEW}, com
    --stdin da entrada padrão, ou, se o de hoje está no diretório de dados, é feito lá. Pare antes todos os nós.`;

/** `npm run rotate-secret`. No secret stands on the command line, where every user of the computer reads it, and none is printed. */
async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const fromInput = args[0] === '--stdin';
  if (args.length > (fromInput ? 1 : 0)) return say(usage, 2);
  const config = readConfig(environment, [NEW]);
  await assertSomethingThere(config);
  const next = fromInput ? await secretFromInput() : environment[NEW] || null;
  return withDatabase(config, async (connection) => {
    const client = openDatabase(connection, { away: () => {}, answered: () => {} });
    try {
      await migrate(client.db);
      return say(describe(await rotateSecret(client.db, connection, config, next), config), 0);
    } finally {
      await client.close();
    }
  });
}

/** Without the line's end that `echo` puts behind it. */
async function secretFromInput(): Promise<string> {
  const given = (await text(process.stdin)).replace(/\r?\n$/, '');
  if (given === '') throw new StartFault(NEW, 'nothing came on standard input');
  return given;
}

function describe({ outcome, rewrapped, dropped }: Rotation, { secret }: Config): string {
  const lines =
    outcome === 'already'
      ? ['O banco de dados já conhecia o segredo novo: a troca anterior está concluída.']
      : [`Segredo trocado; valores cifrados de novo: ${rewrapped}.`];
  if (dropped > 0)
    lines.push(
      `Valores que o segredo antigo não abria, apagados: ${dropped} (autorizações na nuvem, que se pedem de novo, ou e-mails à espera).`,
    );
  if (secret !== null) lines.push(`Ponha agora o segredo novo em LAVRA_SECRET de todos os nós, tire ${NEW} e inicie.`);
  lines.push(
    'Ao iniciar, todas as pessoas entram de novo com a sua senha.',
    'O Lavra Signer de cada signatário vai avisar que este site tem outra chave: avise quem o usa que isso é esperado.',
    'Cópias de segurança de antes abrem só com o segredo antigo: guarde os dois juntos, ou faça uma cópia nova agora.',
  );
  return lines.join('\n');
}

function say(lines: string, code: number): number {
  process.stdout.write(`${lines}\n`);
  return code;
}

try {
  process.exitCode = await run(process.argv.slice(2), process.env);
} catch (error) {
  process.stderr.write(`${describeStartFailure(error)}\n`);
  process.exitCode = 1;
}
