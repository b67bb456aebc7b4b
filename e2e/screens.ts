import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { makeContract } from './documents.ts';
import { creator } from './people.ts';
import type { Product } from './product.ts';
import type { World } from './world.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

export const locales = ['pt-br', 'en', 'es'] as const;
export type Locale = (typeof locales)[number];
export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 360, height: 640 } } as const;
export type Size = keyof typeof sizes;

/** The product's sentence of a key, so that a button is found in any language. */
export type Words = (key: string) => string;

export function wordsOf(locale: Locale): Words {
  const directory = join(root, 'locales', locale);
  const files = readdirSync(directory).map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Record<string, string>);
  const sentences: Record<string, string> = Object.assign({}, ...files);
  return (key) => {
    const sentence = sentences[key];
    if (sentence === undefined) throw new Error(`no sentence ${key} in ${locale}`);
    return sentence;
  };
}

/** What a screen is opened in. */
export interface Opened {
  readonly page: Page;
  readonly product: Product;
  readonly world: World;
  readonly words: Words;
}

export interface Screen {
  readonly name: string;
  /** Opened by whoever follows a link, in a browser where nobody is signed in. */
  readonly isOpen?: true;
  readonly address: string | ((world: World) => string);
  /** Its own address, where one comes to it from another. */
  readonly at?: string;
  /** What a person does there until the screen is seen. */
  readonly reach?: (opened: Opened) => Promise<void>;
}

/** Goes to an address with a state in the browser's history, as the page before it would. */
async function goWith({ page, product }: Opened, address: string, state: object): Promise<void> {
  await page.evaluate(({ to, usr }) => history.replaceState({ usr, key: 'picture', idx: 0 }, '', to), {
    to: `${product.url}${address}`,
    usr: state,
  });
  await page.reload();
}

/** A draft as far as `/confirm` wants it: a file, three people, a modality. Kept in the browser, so that it is made once. */
async function draftOf(opened: Opened, address: '/prepare' | '/confirm'): Promise<void> {
  const { page } = opened;
  if ((await draftId(page)) === null) {
    const buffer = await makeContract('Contrato de prestação de serviços', 3);
    await page.setInputFiles('input[type=file]', { name: 'Contrato de prestação de serviços.pdf', mimeType: 'application/pdf', buffer });
    await page.waitForURL('**/prepare');
    await expect.poll(() => draftId(page)).not.toBeNull();
  }
  await goWith(opened, address, { draftId: await draftId(page) });
}

/** The draft in the browser's own database, its people named and its modality chosen. */
function draftId(page: Page): Promise<string | null> {
  return page.evaluate(
    () =>
      new Promise<string | null>((resolve, reject) => {
        const request = indexedDB.open('lavra');
        request.onerror = () => reject(new Error('no database'));
        request.onsuccess = () => {
          const database = request.result;
          if (!database.objectStoreNames.contains('drafts')) return (database.close(), resolve(null));
          const transaction = database.transaction('drafts', 'readwrite');
          const drafts = transaction.objectStore('drafts');
          const all = drafts.getAll() as IDBRequest<{ id: string; signers: object[]; modality: string | null; visible: boolean }[]>;
          let found: string | null = null;
          all.onsuccess = () => {
            const [draft] = all.result;
            if (!draft) return;
            found = draft.id;
            if (draft.signers.length > 0) return;
            const person = (id: string, name: string) => ({
              id,
              name,
              email: `${id}@exemplo.com.br`,
              cpf: null,
              cnpj: null,
              quantity: 1,
              dueDate: null,
            });
            draft.signers = [person('bia', 'Bia Lima'), person('caio', 'Caio Prado'), person('dora', 'Dora Magalhães')];
            drafts.put({ ...draft, modality: 'electronic', visible: true });
          };
          transaction.oncomplete = () => (database.close(), resolve(found));
        };
      }),
  );
}

/** Places of the first two people, who have theirs on the page that is shown. */
async function placed(opened: Opened): Promise<void> {
  const { page, words } = opened;
  await draftOf(opened, '/confirm');
  await expect(page.locator('.viewer-page canvas').first()).toBeVisible();
  for (const [index, name] of ['Bia Lima', 'Caio Prado'].entries()) {
    const start = page.getByRole('button', { name: `${words('confirm.button.start')} (${name})` });
    // Placed once, they stay with the draft.
    if ((await start.count()) === 0) continue;
    await start.click();
    await expect(page.locator('.box-placing')).toBeFocused();
    // Below the words, beside each other.
    for (let step = 0; step < 14; step += 1) await page.keyboard.press('Shift+ArrowDown');
    for (let step = 0; step < 20 * index; step += 1) await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    await expect(page.locator('.box-placing')).toHaveCount(0);
  }
  await page.evaluate(() => scrollTo(0, 0));
}

async function press({ page, words }: Opened, key: string): Promise<void> {
  await page
    .getByRole('button', { name: words(key), exact: true })
    .first()
    .click();
}

async function verified(opened: Opened): Promise<void> {
  const { product, world } = opened;
  const query = new URLSearchParams({ documentId: world.finished.documentId, emailSigner: world.finished.email });
  const answer = (await (await fetch(`${product.url}/api/loginValidation?${query}`)).json()) as { ticket: string };
  await goWith(opened, '/validate', { documentId: world.finished.documentId, ticket: answer.ticket });
}

const link = ({ going }: World) => new URL(going.link).pathname + new URL(going.link).search;
const nobody = '00000000-0000-4000-8000-000000000000';

type Id = (world: World) => string | number;
type RecordPage = 'new' | 'detail' | 'edit' | 'delete';

/** The addresses of an entity's records, as `entityAddresses` has them. */
function recordsOf(name: string, address: string, id: Id, pages: readonly RecordPage[] = ['new', 'detail', 'edit', 'delete']): Screen[] {
  const ends: Record<RecordPage, (world: World) => string> = {
    new: () => 'new',
    detail: (world) => `${id(world)}`,
    edit: (world) => `${id(world)}/edit`,
    delete: (world) => `${id(world)}/delete`,
  };
  return [
    { name, address },
    ...pages.map((page) => ({ name: `${name}-${page}`, address: (world: World) => `${address}/${ends[page](world)}` })),
  ];
}

/** A pad on the telephone, asked for by the signer's computer. */
async function onTelephone({ page, product, world }: Opened): Promise<void> {
  const key = new URL(world.going.link).searchParams.get('user');
  const body = JSON.stringify({ processId: world.going.id });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${product.url}/api/signers/${key}/drawings`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`no drawing is awaited: ${answer.status}`);
  await page.goto(((await answer.json()) as { address: string }).address);
}

/** Of two hundred calls that look alike, those of one word, and one of them unfolded. */
async function someCalls({ page }: Opened): Promise<void> {
  await page.getByRole('searchbox').fill('drawing');
  await page.locator('summary').first().click();
}

const first = () => 1;

/** Every screen of the product: `all-screens.spec.ts` says which address has none. */
export const screens: readonly Screen[] = [
  { name: 'login', isOpen: true, address: '/login' },
  { name: 'register', isOpen: true, address: '/account/register' },
  { name: 'activate-failed', isOpen: true, address: '/account/activate?key=abc' },
  { name: 'reset-request', isOpen: true, address: '/account/reset/request' },
  { name: 'reset-finish', isOpen: true, address: '/account/reset/finish?key=abc' },
  { name: 'verify', isOpen: true, address: '/validateLogin' },
  { name: 'verified', isOpen: true, address: '/validateLogin', at: '/validate', reach: verified },
  { name: 'signer', isOpen: true, address: link },
  { name: 'signer-sign', isOpen: true, address: link, reach: (opened) => press(opened, 'signer.sign') },
  { name: 'signer-reject', isOpen: true, address: link, reach: (opened) => press(opened, 'signer.reject') },
  { name: 'draw', isOpen: true, address: '/draw', reach: onTelephone },
  { name: 'download', address: ({ finished }) => `/download/${finished.id}` },
  { name: 'download-refused', isOpen: true, address: `/download/${nobody}?user=${nobody}` },
  { name: 'invitation-refused', isOpen: true, address: `/accept_invite/${nobody}?user=${nobody}` },
  { name: 'callback-refused', isOpen: true, address: '/callback/psc?code=abc&state=abc' },
  { name: 'api-docs', isOpen: true, address: '/api-docs', reach: someCalls },
  { name: 'not-found', isOpen: true, address: '/nada' },
  { name: 'home', address: '/signature' },
  { name: 'process', address: ({ going }) => `/signature/process/${going.id}` },
  { name: 'process-rejected', address: ({ rejected }) => `/signature/process/${rejected.id}` },
  { name: 'prepare', address: '/signature', at: '/prepare', reach: (opened) => draftOf(opened, '/prepare') },
  { name: 'confirm', address: '/signature', at: '/confirm', reach: (opened) => draftOf(opened, '/confirm') },
  { name: 'confirm-placed', address: '/signature', at: '/confirm', reach: placed },
  { name: 'settings', address: '/account/settings' },
  { name: 'password', address: '/account/password' },
  { name: 'second-factor', address: '/account/second-factor' },
  { name: 'email-refused', address: '/account/email?key=abc' },
  { name: 'company', address: ({ companyId }) => `/your_company/${companyId}` },
  { name: 'member', address: ({ accountId }) => `/view_member/${accountId}` },
  ...recordsOf('model', '/signature-model', ({ modelId }) => modelId),
  { name: 'model-form', address: '/register-signature-model' },
  ...recordsOf('contract', '/contract', first),
  ...recordsOf('contract-type', '/contract-type', first),
  { name: 'entities', address: '/entity' },
  ...recordsOf('entity-company', '/entity/company', ({ companyId }) => companyId),
  ...recordsOf('entity-process', '/entity/signature-process', ({ going }) => going.id),
  ...recordsOf('entity-document', '/entity/document', ({ finished }) => finished.documentId),
  ...recordsOf('entity-signer', '/entity/signer', ({ signerId }) => signerId),
  ...recordsOf('entity-signature', '/entity/signature', ({ signatureId }) => signatureId),
  ...recordsOf('entity-application-user', '/entity/application-user', ({ accountId }) => accountId),
  { name: 'admin', address: '/admin' },
  ...recordsOf('admin-users', '/admin/users', ({ accountId }) => accountId),
  { name: 'admin-personal-data', address: '/admin/personal-data' },
  { name: 'admin-second-factor', address: '/admin/second-factor' },
  { name: 'admin-audit', address: '/admin/audit' },
  { name: 'admin-health', address: '/admin/health' },
  { name: 'admin-metrics', address: '/admin/metrics' },
  { name: 'admin-program', address: '/admin/program' },
  { name: 'admin-jobs', address: '/admin/jobs' },
  { name: 'admin-certificates', address: '/admin/certificates' },
  { name: 'admin-log', address: '/admin/log' },
  { name: 'admin-configuration', address: '/admin/configuration' },
];

/** Signed in for good, in a browser that keeps it. */
export async function signInHere(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.url}/login`);
  await page.getByLabel('E-mail').fill(creator.email);
  await page.getByLabel('Senha', { exact: true }).fill(creator.password);
  await page.getByRole('checkbox').first().check();
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
  await page.waitForURL('**/signature');
}

const quiet = new WeakSet<BrowserContext>();

/**
 * What tells a page of changes has no end, and nothing would ever be quiet: it goes on looking by itself. Answered in the page: where Playwright
 * stands between, every request of every page goes through it, and nothing is kept.
 */
async function tellNothing(context: BrowserContext): Promise<void> {
  if (quiet.has(context)) return;
  quiet.add(context);
  await context.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (asked, how) => {
      const address = asked instanceof Request ? asked.url : String(asked);
      return address.endsWith('/changes') ? Promise.resolve(new Response(null, { status: 204 })) : fetch(asked, how);
    };
  });
}

/** The screen in a language, all of it there. */
export async function openScreen(screen: Screen, page: Page, product: Product, world: World, locale: Locale): Promise<void> {
  const address = typeof screen.address === 'string' ? screen.address : screen.address(world);
  await tellNothing(page.context());
  await page.context().addCookies([{ name: 'lavra-locale', value: locale, url: product.url }]);
  await page.evaluate((value) => localStorage.setItem('lavra-locale', value), locale);
  await page.goto(`${product.url}${address}`);
  await settled(page);
  await screen.reach?.({ page, product, world, words: wordsOf(locale) });
  await settled(page);
}

export async function show(page: Page, size: Size, theme: Theme): Promise<void> {
  await page.setViewportSize(sizes[size]);
  await page.evaluate((value) => {
    document.documentElement.dataset['theme'] = value;
  }, theme);
  await settled(page);
}

/** To another language where it stands, as by the header's choice, which what stands over the page may keep from being reached. */
export async function turnTo(page: Page, locale: Locale): Promise<void> {
  await page.locator('#menu > select').evaluate((select: HTMLSelectElement, value) => {
    select.value = value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, locale);
  await expect(page.locator('html')).toHaveAttribute('lang', new RegExp(`^${locale}$`, 'i'));
  await expect(page.locator('.loading, .skeleton')).toHaveCount(0);
}

/** Nothing is on its way any more: a heading stands, and no skeleton does. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first()).toBeVisible();
  await expect(page.locator('.loading, .skeleton, .viewer > [role=status]')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
}
