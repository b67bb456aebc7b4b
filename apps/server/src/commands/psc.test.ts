import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { type PscWorld, startPscWorld } from '@lavra/make-believe';
import { terminalWords } from '../language/terminal.ts';
import { runPscCommand } from './psc.ts';
import type { PscsSettings } from '../psc-settings.ts';

const publicUrl = 'https://assina.exemplo.com.br';
const cpf = '529.982.247-25';
let world: PscWorld;

before(async () => {
  world = await startPscWorld({ redirectUris: [`${publicUrl}/callback/psc`] });
});
after(() => world.close());

async function run(args: readonly string[], change: { pscs?: PscsSettings; publicUrl?: string | null } = {}) {
  const lines: string[] = [];
  const outside = { fetch, now: () => new Date(), random: (length: number) => randomBytes(length) };
  const write = (line: string) => void lines.push(line);
  const code = await runPscCommand(
    args,
    { pscs: world.settings, publicUrl, ...change },
    { ...outside, write, say: terminalWords('pt-br') },
  );
  return { code, text: lines.join('\n') };
}

describe('npm run psc', () => {
  it('registers the application where that is offered, with the address people come back to, and shows the new credentials', async () => {
    const pscs = { VIDAAS: { baseUrl: world.settings.VIDAAS.baseUrl } };
    const { code, text } = await run(['register', 'vidaas', '--name', 'Lavra', '--email', 'ana@exemplo.com.br'], { pscs });
    assert.equal(code, 0);
    const clientId = /LAVRA_PSC_VIDAAS_CLIENT_ID=(.+)/.exec(text)?.[1] ?? '';
    const clientSecret = /LAVRA_PSC_VIDAAS_CLIENT_SECRET=(.+)/.exec(text)?.[1] ?? '';
    assert.deepEqual(world.pscs.VIDAAS.state.applications.get(clientId)?.redirectUris, [`${publicUrl}/callback/psc`]);
    const checked = await run(['check', 'VIDAAS', '--cpf', cpf], { pscs: { VIDAAS: { ...pscs.VIDAAS, clientId, clientSecret } } });
    assert.equal(checked.code, 0, checked.text);
  });

  it('says where the credentials come from when they cannot be registered', async () => {
    const { code, text } = await run(['register', 'BIRDID', '--name', 'Lavra', '--email', 'ana@exemplo.com.br']);
    assert.equal(code, 1);
    assert.match(text, /por contrato/);
  });

  it('needs the public address to register', async () => {
    const { code, text } = await run(['register', 'VIDAAS', '--name', 'Lavra', '--email', 'ana@exemplo.com.br'], { publicUrl: null });
    assert.equal(code, 1);
    assert.match(text, /LAVRA_PUBLIC_URL/);
  });

  it('checks a set-up step by step in words, and never prints the secret or the CPF', async () => {
    const right = await run(['check', 'BIRDID', '--cpf', cpf]);
    assert.equal(right.code, 0);
    assert.match(right.text, /Credenciais da aplicação: em ordem\nBusca de certificados pelo CPF: em ordem/);
    assert.match(right.text, /assina\.exemplo\.com\.br\/callback\/psc/);
    const wrong = await run(['check', 'BIRDID', '--cpf', cpf], {
      pscs: { BIRDID: { ...world.settings.BIRDID, clientSecret: 'outro-segredo' } },
    });
    assert.equal(wrong.code, 1);
    assert.match(wrong.text, /Credenciais da aplicação: o provedor não aceita/);
    for (const { text } of [right, wrong]) assert.doesNotMatch(text, /segredo-birdid|outro-segredo|52998224725|529\.982/);
  });

  it('names what is not configured, and explains itself when it is not understood', async () => {
    const off = await run(['check', 'SYN', '--cpf', cpf], { pscs: {} });
    assert.equal(off.code, 1);
    assert.match(off.text, /falta configurar/);
    for (const args of [[], ['check', 'BIRD', '--cpf', cpf], ['check', 'BIRDID', '--cpf', '123'], ['delete', 'BIRDID'], ['check', '--x']]) {
      assert.equal((await run(args)).code, 2, args.join(' '));
    }
  });
});
