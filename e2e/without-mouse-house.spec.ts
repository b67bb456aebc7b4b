import { expect, test } from '@playwright/test';
import { makeContract } from './documents.ts';
import { bring, button, expectHeld, field, type Hand, kinds, link, newHand } from './hands.ts';
import { creator, expectNoFaults, registerFirstAccount, upload } from './people.ts';
import { mailedLink, type Product, startProduct } from './product.ts';

/** Records, a company's people and the administrator's rooms, each by keys alone and by a finger alone. */

// A control that is not there says so soon.
test.use({ actionTimeout: 20_000 });

for (const by of kinds)
  test.describe(`by ${by} alone`, () => {
    let product: Product;
    let ana: Hand;
    test.beforeAll(async ({ browser }) => {
      product = await startProduct();
      ana = await newHand(browser, by);
      await registerFirstAccount(product, ana.page);
    });
    test.afterAll(async () => {
      await ana.page.context().close();
      await product.stop();
    });
    test.afterEach(expectNoFaults);

    test('a process, its signer and its signature are made and deleted as records, by their own forms', async () => {
      const { page } = ana;
      const file = 'aluguel.pdf';
      await upload(product, page, file, await makeContract('Aluguel', 1));
      await page.goto(`${product.url}/entity/signature-process`);
      await ana.press(link(page, 'Novo processo de assinatura'));
      await ana.press(button(page, 'Salvar'));
      await expect(page.getByText('Preencha este campo.').first()).toBeInViewport();
      await expectHeld(page);
      await ana.pick(field(page, 'Modalidade'), 'Assinatura eletrônica (avançada)');
      await ana.choose(field(page, file));
      await ana.write(field(page, 'Título'), 'Sala');
      const deadline = page.getByRole('group', { name: 'Prazo geral' }).last();
      await ana.write(deadline.getByLabel('Data'), '31/12/2099');
      await ana.write(deadline.getByLabel('Hora'), '12:00');
      await ana.press(button(page, 'Salvar'));
      await expect(page.getByText('Criado com sucesso.').first()).toBeVisible();

      await page.goto(`${product.url}/signer/new`);
      await ana.pick(field(page, 'Processo'), 'Sala');
      await ana.write(field(page, 'Nome'), 'Bia');
      await ana.write(field(page, 'E-mail'), 'bia@exemplo.com.br');
      await ana.write(field(page, 'Ordem'), '0');
      await ana.press(button(page, 'Salvar'));
      await page.waitForURL(/\/entity\/signer$/);
      await page.goto(`${product.url}/signature/new`);
      await ana.pick(field(page, 'Signatário'), 'Bia');
      await ana.pick(field(page, 'Documento'), file);
      await ana.press(button(page, 'Salvar'));
      await expect(page.getByText('Criado com sucesso.').first()).toBeVisible();

      await page.goto(`${product.url}/signature-process`);
      await ana.press(link(page, 'Excluir Sala'));
      await ana.press(button(page, 'Excluir'));
      await expect(page.getByText('Nenhum processo ainda.')).toBeVisible();
      await expectHeld(page);
    });

    test('an invited person makes an account and joins; they are made an administrator of the company, and removed', async ({
      browser,
    }) => {
      const { page } = ana;
      const email = 'bia@padaria.com.br';
      await page.goto(`${product.url}/account`);
      await ana.press(link(page, 'Criar empresa'));
      await expect(page.getByRole('heading', { name: 'Criar empresa' })).toBeVisible();
      await ana.write(field(page, 'Nome'), 'Padaria');
      await ana.press(button(page, 'Criar empresa'));
      await expect(page.getByRole('heading', { name: 'Padaria' })).toBeVisible();
      await ana.write(field(page, 'E-mails'), email);
      await ana.press(button(page, 'Enviar convites'));
      await expect(page.getByText('Convites enviados com sucesso').first()).toBeVisible();

      const bia = await newHand(browser, by);
      await join(bia, product, email);
      await bia.page.context().close();

      await page.reload();
      for (const [act, told] of [
        ['Tornar administrador', 'Bia agora administra a empresa.'],
        ['Remover da empresa', 'Usuário excluído com sucesso'],
      ] as const) {
        await ana.press(button(page, 'Mais opções: Bia'));
        await ana.press(page.getByRole('menuitem', { name: act }));
        await ana.press(button(page.getByRole('dialog'), act));
        await expect(page.getByText(told).first()).toBeVisible();
        await expectHeld(page);
      }
    });

    test('an administrator tries the mail and the storage, reads the rooms, gives a bad list and changes a level', async () => {
      const { page } = ana;
      await page.goto(`${product.url}/admin/health`);
      await ana.press(button(page, 'Enviar e-mail de teste'));
      await expect(page.getByText(`O servidor aceitou a mensagem para ${creator.email}`)).toBeVisible();
      await expectHeld(page);
      await ana.press(button(page, 'Verificar agora'));
      await expect(page.getByText('O armazenamento funciona')).toBeVisible();
      await expectHeld(page);
      for (const name of ['Métricas', 'Programa', 'Tarefas', 'Configuração']) await openRoom(ana, name);
      await openRoom(ana, 'Certificados');
      // What stands above the button pushes it down when it comes.
      await expect(page.locator('#ends')).toBeVisible();
      const list = { name: 'lista.zip', mimeType: 'application/zip', buffer: Buffer.from('<html></html>') };
      await bring(ana, button(page, 'Enviar arquivo'), list);
      await expect(page.getByText('Este arquivo não pode ser lido.')).toBeInViewport();
      await expectHeld(page);
      await openRoom(ana, 'Registro');
      await ana.pick(page.getByRole('combobox', { name: 'Nível de Tarefas' }), 'DEBUG');
      await ana.press(button(page, 'Mudar o nível de Tarefas'));
      await expect(page.getByText('Nível mudado: Tarefas.').first()).toBeVisible();
      await expectHeld(page);
    });
  });

/** From the invitation to an account, and back to it. */
async function join(hand: Hand, product: Product, email: string): Promise<void> {
  const { page } = hand;
  const invitation = await mailedLink(product, email, 'Padaria');
  const password = 'Jardim-7-azul';
  await page.goto(invitation);
  await hand.press(link(page, 'Criar minha conta'));
  await hand.write(field(page, 'Nome'), 'Bia');
  await hand.write(field(page, 'E-mail'), email);
  await hand.write(field(page, 'Nova senha'), password);
  await hand.write(field(page, 'Repita a senha'), password);
  await hand.press(button(page, 'Criar conta'));
  await expect(page.getByText('Enviamos um link')).toBeVisible();
  await expectHeld(page);
  await page.goto(await mailedLink(product, email, '/account/activate'));
  await expect(page.getByText('Sua conta está ativa.')).toBeVisible();
  await page.goto(invitation);
  await hand.press(link(page, 'Entrar para aceitar'));
  await hand.write(field(page, 'E-mail'), email);
  await hand.write(field(page, 'Senha'), password);
  await hand.press(button(page, 'Entrar'));
  await hand.press(button(page, 'Aceitar convite'));
  await expect(page.getByText('Convite aceito.')).toBeVisible();
  await expectHeld(page);
}

/** Of the administration: on a telephone the rooms are a page of their own, which each of them leads back to. */
async function openRoom(hand: Hand, name: string): Promise<void> {
  const { page } = hand;
  const back = page.locator('.admin-back').getByRole('link');
  if (hand.by === 'finger') await hand.press(back);
  await hand.press(link(page, name).first());
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}
