import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { describeStartFailure } from './start-failure.ts';
import { StartFault } from './start-fault.ts';
import { startProgram, startRefused, stopProgram } from './testing/program.ts';
import { startSystemPostgres, type SystemPostgres, systemPostgresBinaries } from './testing/system-postgres.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

describe('a start that cannot work', () => {
  let directory: string;
  let taken: Server;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lavra-faults-'));
    await chmod(directory, 0o755);
    await writeFile(join(directory, 'file'), '');
    await writeFile(join(directory, 'empty.pem'), '');
    taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  });
  after(async () => {
    taken.close();
    await rm(directory, { recursive: true, force: true });
  });

  const prod = () => ({
    LAVRA_DATA_DIR: join(directory, 'data'),
    LAVRA_PROFILE: 'prod',
    LAVRA_PUBLIC_URL: 'https://assina.exemplo.com.br',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Lavra <nao-responda@exemplo.com.br>',
  });
  const port = () => String((taken.address() as AddressInfo).port);

  const faults: readonly [name: string, environment: () => Record<string, string>, line: () => string][] = [
    ['a number that is none', () => ({ PORT: 'abc' }), () => 'PORT: a number from 0 to 65535'],
    ['a name that is nearly right', () => ({ TRUSTED_PROXY: '1' }), () => 'TRUSTED_PROXY: unknown; did you mean TRUSTED_PROXIES?'],
    ['half a pair', () => ({ S3_BUCKET: 'a', S3_ACCESS_KEY_ID: 'b' }), () => 'S3_SECRET_ACCESS_KEY: missing beside S3_ACCESS_KEY_ID'],
    [
      'a public address with a path',
      () => ({ ...prod(), LAVRA_PUBLIC_URL: 'https://lavra.test/app' }),
      () => 'LAVRA_PUBLIC_URL: an address like https://assina.exemplo.com.br, http or https, without path, query, fragment or user',
    ],
    [
      'a public address over plain http',
      () => ({ ...prod(), LAVRA_PUBLIC_URL: 'http://intranet' }),
      () => 'LAVRA_PUBLIC_URL: https in the prod profile, since links in mails are as good as keys; LAVRA_INSECURE=true allows http',
    ],
    [
      'a file that is missing',
      () => ({ LAVRA_ICP_BRASIL_CAS: join(directory, 'gone.pem') }),
      () => `LAVRA_ICP_BRASIL_CAS: cannot be read, there is no such file or folder: ${join(directory, 'gone.pem')}`,
    ],
    [
      'a file without certificates',
      () => ({ LAVRA_ICP_BRASIL_CAS: join(directory, 'empty.pem') }),
      () => 'LAVRA_ICP_BRASIL_CAS: no certificate in it (PEM)',
    ],
    ['a port in use', () => ({ ...prod(), PORT: port() }), () => `PORT: ${port()} is in use by another program on 127.0.0.1`],
    [
      'a port in use that links name, in development too',
      () => ({ LAVRA_DATA_DIR: join(directory, 'data'), LAVRA_PUBLIC_URL: `http://localhost:${port()}`, PORT: port() }),
      () => `PORT: ${port()} is in use by another program on 127.0.0.1`,
    ],
    ['an address of another computer', () => ({ ...prod(), HOST: '192.0.2.1' }), () => 'HOST: 192.0.2.1 is no address of this computer'],
    ['a name of no computer', () => ({ ...prod(), HOST: 'nobody.invalid' }), () => 'HOST: the name nobody.invalid leads to no address'],
    [
      'a data folder that is a file',
      () => ({ ...prod(), LAVRA_DATA_DIR: join(directory, 'file') }),
      () => `LAVRA_DATA_DIR: cannot be written, there is a file in its place: ${join(directory, 'file')}`,
    ],
    [
      'a data folder below a file',
      () => ({ ...prod(), LAVRA_DATA_DIR: join(directory, 'file', 'data') }),
      () => `LAVRA_DATA_DIR: cannot be written, a part of the path is no folder: ${join(directory, 'file', 'data')}`,
    ],
    [
      'a data folder where there can be none',
      () => ({ ...prod(), LAVRA_DATA_DIR: '/proc/lavra' }),
      () => 'LAVRA_DATA_DIR: cannot be written, there is no such file or folder: /proc/lavra',
    ],
  ];
  for (const [name, environment, line] of faults)
    it(`refuses ${name} in one line that names the variable and the cause`, async () => {
      assert.deepEqual(await startRefused(environment()), { code: 1, lines: [line()] });
    });

  it('refuses a data folder that its user may not write', { skip: isRoot ? false : 'only root may start it as another user' }, async () => {
    const dataDir = join(directory, 'of-root');
    assert.deepEqual(await startRefused({ ...prod(), LAVRA_DATA_DIR: dataDir }, nobody), {
      code: 1,
      lines: [`LAVRA_DATA_DIR: cannot be written, the user that runs Lavra may not: ${dataDir}`],
    });
  });

  it('tells all faults at once, of form and of what is missing, a line each', async () => {
    const { code, lines } = await startRefused({ LAVRA_PROFILE: 'prod', PORT: 'x', DATABASE_URL: 'postgres://db/l', SMTP_HOST: 'mail' });
    assert.deepEqual(
      [code, lines.map((line) => line.split(':')[0])],
      [1, ['PORT', 'LAVRA_PUBLIC_URL', 'SMTP_URL', 'MAIL_FROM', 'LAVRA_SECRET', 'SMTP_HOST']],
    );
  });

  it('says several lines of a cause in one, and leaves faults of the program their stack', () => {
    assert.equal(describeStartFailure(new StartFault('PORT', 'one\n  two\r\n')), 'PORT: one two');
    assert.match(describeStartFailure(new TypeError('x is not a function')), /TypeError: x is not a function\n +at /);
  });

  it('moves to the next port in development, though two starts ask for the same one at the same moment', async () => {
    const programs = await Promise.all(['one', 'two'].map((name) => startProgram({ LAVRA_DATA_DIR: join(directory, name), PORT: port() })));
    const ports = programs.map(({ url }) => Number(new URL(url).port));
    assert.ok(
      ports.every((one) => one > Number(port())),
      ports.join(),
    );
    assert.notEqual(ports[0], ports[1]);
    for (const { url } of programs) assert.equal((await fetch(`${url}/management/health`)).status, 200);
    await Promise.all(programs.map((program) => stopProgram(program, 'SIGTERM')));
  });
});

describe('a start over a PostgreSQL that refuses', { skip: systemPostgresBinaries() ? false : 'apt-get install postgresql' }, () => {
  let postgres: SystemPostgres;
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'lavra-faults-'));
    postgres = await startSystemPostgres();
  });
  after(async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const at = (change: Partial<URL>) => ({ LAVRA_DATA_DIR: directory, DATABASE_URL: Object.assign(new URL(postgres.url), change).href });
  for (const [name, change, cause] of [
    ['a wrong password', { password: 'errada' }, 'password authentication failed for user "lavra"'],
    ['a role that is missing', { username: 'ninguem' }, 'password authentication failed for user "ninguem"'],
    ['no TLS there', { search: '?sslmode=verify-full' }, 'The server does not support SSL connections'],
    [
      'a file of the address that is missing',
      { search: '?sslmode=verify-full&sslrootcert=/gone.pem' },
      'there is no such file or folder: /gone.pem',
    ],
  ] as const)
    it(`names DATABASE_URL and the cause, never the password: ${name}`, async () => {
      assert.deepEqual(await startRefused(at(change)), { code: 1, lines: [`DATABASE_URL: no connection, ${cause}`] });
    });
});
