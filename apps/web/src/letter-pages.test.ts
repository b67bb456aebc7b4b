import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { entityScreens } from './entity-screens.ts';
import { newPasswordFault } from './features/accounts/new-password-fault.ts';
import { valuesOf, writtenOf } from './features/contracts/contract-values.ts';
import { modelTypes } from './features/signature-models/model-form.ts';
import { holdLines, type Lines, source } from './testing/letter-lines.ts';

const publicAddresses: Lines = {
  'E-mail and password, remember-me value': ['features/accounts/login.page.tsx', 'body: { username, password, rememberMe: remember }'],
  'links to password recovery': ['features/accounts/login.page.tsx', `<Link to="/account/reset/request">{t('login.forgot')}</Link>`],
  'and registration': ['features/accounts/login.page.tsx', `<Link to="/account/register">{t('word.register')}</Link>`],
  'An authenticated user goes to the page they came from, or to /signature': [
    'features/accounts/login.page.tsx',
    `from = '/signature'`,
    '!== null) return <Navigate to={from} replace',
  ],
  'username and password required': [
    'features/accounts/login.page.tsx',
    `if (username === '' || password === '') return;`,
    `t('login.empty')`,
  ],
  '/logout … otherwise goes to /': ['features/accounts/logout.page.tsx', 'clearToken();', `navigate('/', { replace: true })`],
  '/logout: in single sign-on mode redirects to the provider’s logout address': [
    'features/accounts/logout.page.tsx',
    'if (isSingleSignOn())',
    'window.location.replace(provider)',
  ],
  '/account/register: Name, e-mail, password, repeat password': [
    'features/accounts/register-form.tsx',
    `label={t('register.name')}`,
    `label={t('word.email')}`,
    '<NewPasswordFields',
  ],
  'repeat password; strength meter': [
    'features/accounts/new-password.tsx',
    `label={t('password.new')}`,
    `label={t('password.repeat')}`,
    `hint={ownFault === undefined ? t('password.hint') : undefined}`,
    '[1, 2, 3, 4, 5].map(',
  ],
  'link back to login': ['features/accounts/register.page.tsx', `<Link to="/login">{t('register.back')}</Link>`],
  'Both flows redirect to /': ['features/accounts/register-form.tsx', `await go('/', {`],
  'an activation success or failure alert': [
    'features/accounts/activate.page.tsx',
    `search.get('key') ?? params['key']`,
    `kind="success" text={t('activate.success')}`,
    `t('activate.failure')`,
  ],
  '‘Email de recuperação de senha enviado’ and goes to /': ['features/accounts/reset-request.page.tsx', `'/', 'reset.sent')`],
  '‘Senha recadastrada com sucesso’ and goes to /': ['features/accounts/reset-finish.page.tsx', `'/', 'reset.done')`, `get('key')`],
  'optional query docId': ['features/verification/validate-login.page.tsx', `.get('docId')`],
  'documentId passed in navigation state': [
    'features/verification/validate-login.page.tsx',
    `navigate('/validate', { state: { documentId: id, ticket } })`,
  ],
  'otherwise goes to /validateLogin': [
    'features/verification/validate.page.tsx',
    'if (!documentId || !ticket) return <Navigate to="/validateLogin" replace />',
  ],
  '/signer/:id, query user = signer id': ['features/signing/signer.page.tsx', `useParams()['id']`, `.get('user')`],
  '/callback/:id, query code and state': ['features/signing/callback.page.tsx', `query.get('code')`, `query.get('state')`],
  '/accept_invite/:id, query user': ['features/companies/accept-invite.page.tsx', `.get('user')`],
  '/view_member/:id, member name in state': [
    'features/companies/members-table.tsx',
    'to={`/view_member/${member.id}`} state={{ name: member.name }}',
  ],
  'state modeIdUpdate for editing': ['entities/entity-form.tsx', 'modeIdUpdate?: string } | null)?.modeIdUpdate'],
  'redirect to /login when unauthenticated': ['shell/guards.tsx', '<Navigate to="/login" replace state={{ from:'],
  'footer shows a company copyright with the current year': ['shell/layout.tsx', '© {new Date().getFullYear()} Lavra</footer>'],
};

/** Which page stands at an address; the index is the sign-in page as well. */
const pages: Readonly<Record<string, string>> = {
  'account/register': 'accounts/register',
  'account/activate/:key?': 'accounts/activate',
  'account/reset/request': 'accounts/reset-request',
  'account/reset/finish/:key?': 'accounts/reset-finish',
  validateLogin: 'verification/validate-login',
  validate: 'verification/validate',
  logout: 'accounts/logout',
  'signer/:id': 'signing/signer',
  'callback/:id': 'signing/callback',
  'download/:id': 'downloads/download',
  'accept_invite/:id': 'companies/accept-invite',
  'your_company/:id': 'companies/company',
  'view_member/:id': 'companies/member',
  signature: 'processes/reading/home',
  prepare: 'processes/creation/prepare',
  confirm: 'processes/creation/confirm',
  account: 'accounts/settings',
  'account/settings': 'accounts/settings',
  'account/password': 'accounts/password',
};

const lists: Lines = {
  'list, /new, /{id}, /{id}/edit': [
    'entities/entity-addresses.tsx',
    '{ path: address, lazy: page(screens.list)',
    '{ path: `${address}/new`, lazy: page(screens.form) }',
    '{ path: `${address}/:id`, lazy: page(screens.detail) }',
    '{ path: `${address}/:id/edit`, lazy: page(screens.form) }',
  ],
  '/{id}/delete (confirmation dialog over the list)': [
    'entities/entity-addresses.tsx',
    `children: [{ path: ':id/delete', lazy: page(screens.deletion) }]`,
  ],
  'Lists have sort by column, search, refresh': [
    'entities/entity-list.tsx',
    'sort={{ by: place.sortBy, direction: place.direction }}',
    'type="search"',
    `onClick={() => void refetch()}> {t('entity.refresh')}`,
  ],
  'paging with 5 page buttons': ['ui/pagination.tsx', 'length: Math.min(limits.paginationButtons, pages)'],
  'and an item count': ['entities/place-in-list.tsx', `t(isTotalExact ? 'entity.count' : 'entity.countMore', place)`],
  'the address holds ?page=N&sort=field,order': ['lib/list-address.ts', `search.get('page')`, `(search.get('sort') ?? '').split(',')`],
  'card max width 500 px': ['entities/entities.css', 'max-width: 500px;'],
  'Back and Edit': ['entities/entity-detail.tsx', `t('entity.back')`, `t('entity.edit')`],
  'Back and Save': ['entities/entity-form.tsx', `t('entity.back')`, `t('entity.save')`],
  'Edit and Delete per row': ['entities/entity-list.tsx', 'to={`${at}/edit`}', 'to={`${at}/delete${search}`}'],
  'Delete dialog: title, question, Cancel and Delete': [
    'entities/entity-deletion.tsx',
    `title={t('entity.deleteTitle')}`,
    'deleteQuestion',
    `t('entity.cancel')`,
    `t('entity.delete')`,
  ],
  'Contract table: validity, created, payment type, …, a link to the owning application user': [
    'features/contracts/contract.view.tsx',
    ...['validity', 'created', 'paymentType', 'uploadedDocuments', 'digitalSignaturesDone'].map((key) => `{ key: '${key}',`),
    ...['eletronicSinaturesDone', 'storageUsed', 'storageRetentionTime', 'applicationUsers'].map((key) => `{ key: '${key}',`),
  ],
  'at application-user/{id}': ['features/contracts/contract-cells.tsx', 'to={`/application-user/${owner.id}`}'],
  'payment type select (labels Mensal and Anual), contract type select populated by name': [
    'features/contracts/contract-form.tsx',
    `{ value: '1', text: t('contract.choice.paymentType.MONTHLY') }`,
    `{ value: '2', text: t('contract.choice.paymentType.YEARLY') }`,
    'types.map(({ id, name }) => ({ value: String(id), text: name }))',
  ],
  'Save disabled while updating': ['features/contracts/contract-form.tsx', '<button type="submit" className="primary" disabled={busy}'],
  'Card width 40 percent': ['features/contracts/contracts.css', 'width: 40%;'],
};

holdLines('public addresses', publicAddresses);
holdLines('lists and records', lists);

describe('screens, to the letter: each address its page', () => {
  const routes = source('routes.tsx') + source('signed-in.routes.tsx');
  for (const [address, page] of Object.entries(pages))
    it(`/${address}`, () => assert.ok(routes.includes(`{ path: '${address}', lazy: () => import('./features/${page}.page.tsx') }`)));
  it('/login and /', () => {
    assert.ok(routes.includes(`const login = () => import('./features/accounts/login.page.tsx')`));
    assert.ok(routes.includes(`{ index: true, lazy: login }, { path: 'login', lazy: login }`));
  });
  it('/entity, and what is not found', () => {
    assert.ok(routes.includes(`{ path: 'entity', lazy: () => import('./shell/entities.page.tsx') }`));
    assert.ok(routes.includes(`{ path: '*', lazy: () => import('./shell/not-found.page.tsx') }`));
  });
});

describe('screens, to the letter: forms', () => {
  it('validity defaults to now or to the existing validity; a select value of 1 becomes MONTHLY, otherwise YEARLY', () => {
    const now = new Date('2026-03-04T15:38:21Z');
    const fresh = valuesOf(null, now);
    assert.deepEqual([fresh.validity, fresh.paymentType, fresh.contractType], [now.toISOString(), '1', '']);
    assert.deepEqual([writtenOf(fresh, null).paymentType, writtenOf(fresh, null).contractType], ['MONTHLY', null]);
    assert.equal(writtenOf({ ...fresh, paymentType: '2' }, null).paymentType, 'YEARLY');
  });
  it('model types: image with text, image only, text only', () => assert.deepEqual(modelTypes, ['imageAndText', 'image', 'text']));
  it('message dontmatch', () => assert.equal(newPasswordFault({ password: 'Abc123', repeat: 'Abc124' }), 'password.dontmatch'));
  it('USER: /signature-model; ADMIN: /contract-type, /contract', () =>
    assert.deepEqual(
      entityScreens.slice(0, 3).map(({ address, authority }) => [address, authority]),
      [
        ['signature-model', 'ROLE_USER'],
        ['contract', 'ROLE_ADMIN'],
        ['contract-type', 'ROLE_ADMIN'],
      ],
    ));
});
