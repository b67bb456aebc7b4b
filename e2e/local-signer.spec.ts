import { randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { commitmentTo, localSignerGreeted, meetingCode } from '@lavra/api';
import { assertSignsPdf, prepareFor, signRequest } from '../apps/local-signer/src/testing/prepared.ts';
import { ask } from '../apps/local-signer/src/testing/page.ts';
import { startProgram } from '../apps/local-signer/src/testing/program.ts';
import { startSite } from '../apps/local-signer/src/testing/site.ts';
import { softTokenModule, softTokens } from '../apps/local-signer/src/testing/soft-token.ts';
import { expectAccessible } from './axe.ts';

/** By a name that the compiler does not follow: with the browser's types beside Node's, the package's own sources do not check. */
const pkiPackage: string = '@lavra/make-believe';
const { createIcpBrasilPki } = (await import(pkiPackage)) as {
  createIcpBrasilPki(): Promise<{
    issuePerson(person: { name: string; cpf: string }): Promise<{ key: KeyObject; certificate: Uint8Array; chain: readonly Uint8Array[] }>;
  }>;
};

/** What a page of the site does: real fetch, with the preflight and headers of a real browser. */
const callFrom = (page: Page, port: number) => (method: string, path: string, body?: unknown) =>
  page.evaluate(
    async ([address, how, json]) => {
      const answer = await fetch(address, {
        method: how,
        ...(json === null ? {} : { headers: { 'content-type': 'application/json' }, body: json }),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        json: (text === '' ? {} : JSON.parse(text)) as { session?: string; state?: string; signatures?: { value: string }[] },
      };
    },
    [`http://127.0.0.1:${port}${path}`, method, body === undefined ? null : JSON.stringify(body)] as const,
  );

test('a page asks LAVRA_SIGNER, its window shows who and what, and a token signs after consent, choice and PIN', async ({ browser }) => {
  using drawer = softTokens();
  const token = { label: 'Token da Ana', pin: '4321' };
  drawer.add(token);
  const identity = await (await createIcpBrasilPki()).issuePerson({ name: 'Ana Beatriz Souza', cpf: '52998224725' });
  drawer.put(token, identity);
  await using site = await startSite();
  await using program = await startProgram(['--module', softTokenModule], drawer.environment);

  const page = await (await browser.newContext()).newPage();
  await page.goto(`${site.origin}/`);
  const call = callFrom(page, program.port);
  const pageNonce = randomBytes(32).toString('base64url');
  const greeted = localSignerGreeted.parse((await call('POST', '/v2/sessions', { commitment: await commitmentTo(pageNonce) })).json);
  const { session } = greeted;
  expect((await call('POST', `/v2/sessions/${session}/meeting`, { nonce: pageNonce, show: true })).status).toBe(200);

  const window = await (await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'pt-BR' })).newPage();
  const problems: string[] = [];
  window.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  const judge = async (name: string) => {
    for (const colorScheme of name === 'confirmation' ? (['dark', 'light'] as const) : (['light'] as const)) {
      await window.emulateMedia({ colorScheme });
      await expectAccessible(window, `local-signer-${name}-${colorScheme}`);
    }
  };
  await window.goto(await program.nextWindow());
  await expect(window.getByRole('heading', { name: 'Confira o código' })).toBeFocused();
  const meeting = { origin: site.origin, port: program.port, key: greeted.key, pageNonce, signerNonce: greeted.nonce };
  await expect(window.getByText(await meetingCode(meeting))).toBeVisible();
  // The product's name stands above what the window says, on a narrow screen and a wide one.
  for (const width of [1440, 360]) {
    await window.setViewportSize({ width, height: 740 });
    const start = (part: string) =>
      window.locator(part).evaluate((one) => one.getBoundingClientRect().left + parseFloat(getComputedStyle(one).paddingLeft));
    expect(await start('header')).toBe(await start('main'));
  }
  await judge('code');
  expect((await call('POST', `/v2/sessions/${session}/certificate`, { request: site.ask() })).status).toBe(202);
  await expect(window.getByRole('heading', { name: 'Permitir que este site peça assinaturas?' })).toBeFocused();
  await expect(window.getByText(site.origin)).toBeVisible();
  await judge('consent');
  await window.getByRole('button', { name: 'Permitir e escolher o certificado' }).click();

  await expect(window.getByRole('radio', { name: /Ana Beatriz Souza/i })).toBeChecked();
  await judge('choice');
  await window.getByRole('button', { name: 'Usar este certificado' }).click();
  await expect(window.getByRole('heading', { name: 'Aguarde' })).toBeVisible();
  await judge('awaiting');

  await expect.poll(async () => (await call('GET', `/v2/sessions/${session}`)).json.state).toBe('certificate');
  const pdf = await prepareFor(identity.certificate, identity.chain);
  expect((await call('POST', `/v2/sessions/${session}/sign`, { request: site.ask(signRequest(pdf)) })).status).toBe(202);

  await window.getByLabel('PIN do token').fill('0000');
  await judge('confirmation');
  await window.getByRole('button', { name: 'Assinar 1 documento' }).click();
  await expect(window.getByRole('alert')).toContainText('O PIN não está certo');
  await window.getByLabel('PIN do token').fill(token.pin);
  await window.getByRole('button', { name: 'Assinar 1 documento' }).click();
  await expect(window.getByRole('heading', { name: 'Assinado' })).toBeVisible();
  await judge('signed');

  const { state, signatures } = (await call('GET', `/v2/sessions/${session}`)).json;
  expect(state).toBe('signed');
  await assertSignsPdf(pdf, signatures?.[0]?.value ?? '');
  expect(problems).toEqual([]);
});

test('the file that leads to the window opens it in a browser, and is gone then', async ({ browser }) => {
  const folder = mkdtempSync(join(tmpdir(), 'lavra-opener-'));
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > ${folder}/asked\n`, { mode: 0o755 });
  await using site = await startSite();
  await using program = await startProgram(['--open', 'browser'], { PATH: `${folder}:${process.env['PATH'] ?? ''}` });
  expect((await ask(program, site.origin, site.ask())).status).toBe(201);
  const asked = () => (existsSync(join(folder, 'asked')) ? readFileSync(join(folder, 'asked'), 'utf8') : '');
  await expect.poll(asked).toMatch(/lavra-signer-[\w-]{22}\.html$/);
  const window = await (await browser.newContext({ locale: 'pt-BR' })).newPage();
  await window.goto(`file://${asked()}`);
  await expect(window.getByRole('heading', { name: 'Permitir que este site peça assinaturas?' })).toBeVisible();
  expect(existsSync(asked())).toBe(false);
  await window.getByRole('button', { name: 'Permitir e escolher o certificado' }).click();
  await expect(window.getByRole('heading', { name: 'Escolha o certificado' })).toBeVisible();
  rmSync(folder, { recursive: true });
});
