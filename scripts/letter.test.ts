import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { LAVRA_SIGNER } from '@lavra/api';
import { pscIds } from '@lavra/psc';
import { readMessages } from '../apps/server/src/language/translator.ts';

/** What the specification writes between quotation marks, by the key that says it. */
const sentences: Readonly<Record<string, string>> = {
  'reset.sent': 'Email de recuperação de senha enviado',
  'reset.done': 'Senha recadastrada com sucesso',
  'signer.signing': 'Assinando...',
  'confirm.noModality': 'Modalidade não selecionada',
  'process.modalityRequired': 'Modalidade não selecionada',
  'confirm.button.ready': 'Pronto',
  'evidence.imageRequired': 'É necessário o envio de uma imagem de assinatura',
  'evidence.geolocationRequired': 'Erro ao obter dados geográficos. Tente novamente mais tarde.',
  'verification.identifierInvalid': 'Digite um UUID válido',
  'company.seeProcesses': 'Ver processos',
  'account.loginNotFound': 'Falha ao logar! Por favor verifique suas credenciais e tente novamente.',
  'models.listFailed': 'Não foi possível carregar a lista de modelos!',
  'model.notFound': 'Não foi possível encontrar o modelo!',
  'confirm.failed': 'Erro ao criar o processo',
  'server.unexpected': 'Ocorreu um erro inesperado. Tente novamente mais tarde.',
  'confirm.noPositions': 'Posições de Assinaturas Visíveis não Definidas',
  'process.positionsMissing': 'Posições de Assinaturas Visíveis não Definidas',
  'home.loadFailed': 'Não foi possível carregar os seus processos',
  'home.cancelFailed': 'Erro ao cancelar o processo',
  'home.canceled': 'Processo cancelado - mensagem enviada!',
  'home.linkFailed': 'Erro ao buscar link de assinatura',
  'digital.searchFailed': 'Erro ao buscar certificados',
  'digital.noneFound': 'Nenhum certificado encontrado',
  'company.emailsRequired': 'Adicione ao menos um email para enviar convite',
  'word.wait': 'Aguarde...',
  'signer.reject': 'Rejeitar Assinatura',
  'signer.sign': 'Assinar Documento',
  'signer.download': 'Baixar',
  'confirm.button.start': 'Iniciar',
  'confirm.button.fix': 'Fixar',
  'confirm.button.startNext': 'Iniciar próxima',
  'contract.choice.paymentType.MONTHLY': 'Mensal',
  'contract.choice.paymentType.YEARLY': 'Anual',
  'company.sendInvites': 'Enviar convites',
  'entity.save': 'Salvar',
  'signing.authorizationUnknown':
    'Não foi possível autorizar a transação. Por favor, tente novamente. Se o problema continuar, entre em contato com o administrador.',
  'company.removeFailed': 'Não foi possível remover o usuário',
  'company.removeDone': 'Usuário excluído com sucesso',
  'company.deleteFailed': 'Erro ao excluir usuário',
  'company.roleFailed': 'Erro ao alterar administrador!',
  'company.invited': 'Convites enviados com sucesso',
  'company.inviteFailed': 'Erro ao enviar convites',
  'company.retentionSaved': 'Valores salvos com sucesso!',
  'company.retentionFailed': 'Erro ao salvar novos valores',
  'verify.failed': 'Um erro ocorreu. Tente novamente.',
  'models.loadFailed': 'Não foi possível carregar o modelo!',
  'model.nameTaken': 'Nome do modelo já existe - Escolha outro nome',
  'model.inUse': 'Ele está sendo usado em um processo de assinatura, finalize o processo e tente novamente.',
  'document.nothingSelected': 'É necessário selecionar um item',
  'stamp.digital': 'Assinado digitalmente por:',
  'status.IN_PROGRESS': 'Em Curso',
  'status.FINALIZED_WITH_SUCCESS': 'Finalizado',
  'status.FINALIZED_BY_EXPIRATION': 'Expirado',
  'status.FINALIZED_BY_REJECTION': 'Rejeitado',
  'status.CREATOR_CANCELED': 'Cancelado',
  'status.unknown': 'Desconhecido',
  'home.requested': 'Solicitados',
  'home.pending': 'Pendentes',
  'home.received': 'Recebidos',
  'company.users': 'Usuários',
  'company.column.name': 'Nome',
  'company.column.email': 'Email',
  'company.column.role': 'Perfil',
  'company.column.action': 'Ação',
};

/** What it writes with an end of its own, a hint or a name; ours goes on with what to do. */
const beginnings: Readonly<Record<string, string>> = {
  'signing.authorizationExpired': 'A solicitação de assinatura expirou',
  'company.emailInvalid': 'Email inválido',
  'company.emailFree': 'Email inválido',
  'company.moreOf': 'Mais opções',
};

/** The catalogue's English sentences: exact in English, translated elsewhere. */
const english: Readonly<Record<string, string>> = {
  'error.http.404': 'The page does not exist.',
  'error.http.403': 'You are not authorized to access this page.',
  'error.server.not.reachable': 'Server not reachable',
  'request.notFound': 'Not found',
  'error.unknown': 'Unknown error!',
  'entity.deleteTitle': 'Confirm delete operation',
  'contract.new': 'Create new Contract',
  'contract.empty': 'No Contracts found',
  'entity.fieldRefused': 'Error on field {{field}}: {{message}}',
  'process.titleRequired': "title can't be empty",
};

/** What it names in English within a sentence that goes on. */
const named: Readonly<Record<string, RegExp>> = {
  'login.empty': /^This field cannot be empty\.$/,
  'process.reminderConflict': /^Time conflict/,
  'account.incorrectPassword': /^Incorrect password/,
};

/** Message keys that it names, and where ours are asked for. */
const keys: Readonly<Record<string, string>> = {
  'login.error.unauthorized': 'apps/web/src/features/accounts/login.page.tsx',
  'login.errorWithLogin2': 'apps/web/src/features/accounts/login.page.tsx',
  'entity.validation.required': 'apps/web/src/entities/entity-field.ts',
  'entity.validation.maxlength': 'apps/web/src/entities/entity-field.ts',
  popupClosed: 'apps/web/src/features/accounts/social/social-buttons.tsx',
};

/** Words of the wire that it quotes, and where the server says them. */
const words: Readonly<Record<string, string>> = {
  "'Permitido'": 'apps/server/src/features/verification/login-validation.ts',
  'filename="assinaturas.zip"': 'apps/server/src/features/downloads/downloads.routes.ts',
  "{ message: 'Incorrect password' }": 'apps/server/src/http/problem.ts',
  "{ detail: 'Contract suspended' }": 'apps/server/src/http/problem.ts',
};

/** Section 2, and the addresses that `docs/spec-map.md` adds to them; entities have theirs in `entity-screens.ts`. */
const addresses = [
  'login',
  'logout',
  'account/register',
  'account/activate/:key?',
  'account/reset/request',
  'account/reset/finish/:key?',
  'validateLogin',
  'validate',
  'signer/:id',
  'callback/:id',
  'download/:id',
  'your_company/:id',
  'accept_invite/:id',
  'view_member/:id',
  'prepare',
  'confirm',
  'signature',
  'account',
  'account/settings',
  'account/password',
  'admin',
  'entity',
  '*',
];
const entityAddresses = [
  'signature-model',
  'register-signature-model',
  'contract',
  'contract-type',
  'entity/company',
  'entity/signature-process',
  'entity/document',
  'entity/signer',
  'entity/signature',
  'entity/application-user',
];

describe('the specification to the letter', () => {
  for (const [locale, wanted] of [
    ['pt-br', sentences],
    ['en', english],
  ] as const)
    for (const [key, sentence] of Object.entries(wanted))
      it(`says “${sentence.slice(0, 60)}” in ${locale}`, () => assert.equal(readMessages('locales', locale)[key], sentence));

  for (const [key, beginning] of Object.entries(beginnings))
    it(`begins with “${beginning}” at ${key}`, () => assert.ok(readMessages('locales', 'pt-br')[key]?.startsWith(beginning)));

  for (const [key, wanted] of Object.entries(named))
    it(`says ${wanted.source} in en at ${key}`, () => assert.match(readMessages('locales', 'en')[key] ?? '', wanted));

  for (const [key, file] of Object.entries(keys))
    it(`has the message key ${key}, and asks for it`, () => {
      assert.ok(readMessages('locales', 'pt-br')[key]);
      assert.ok(readFileSync(file, 'utf8').includes(`'${key}'`));
    });

  for (const [word, file] of Object.entries(words))
    it(`says ${word} on the wire`, () => assert.ok(readFileSync(file, 'utf8').includes(word)));

  it('says that names of people keep letters, spaces, apostrophe and hyphen', () => {
    assert.match(readMessages('locales', 'pt-br')['signer.nameInvalid'] ?? '', /só letras, espaços, apóstrofo e hífen/);
    assert.match(readMessages('locales', 'en')['signer.nameInvalid'] ?? '', /only letters, spaces, apostrophes and hyphens/);
    assert.match(readMessages('locales', 'es')['signer.nameInvalid'] ?? '', /solo letras, espacios, apóstrofo y guion/);
  });

  it('keeps the wire’s spelling “eletronic” out of what people read', () =>
    assert.deepEqual(
      Object.entries(readMessages('locales', 'en')).filter(([, text]) => /eletronic|sinature/i.test(text)),
      [],
    ));

  it('asks to try again in one way in Spanish', () => {
    const others = /\bintente (de nuevo|otra vez)|\binténtel[oa] otra vez|\binténtal[oa]/i;
    assert.deepEqual(
      Object.entries(readMessages('locales', 'es')).filter(([, text]) => others.test(text)),
      [],
    );
    assert.doesNotMatch(readFileSync('apps/local-signer/src/window/texts-es.ts', 'utf8'), others);
  });

  it('sets lines 1.1 times the size of their letters apart', () =>
    assert.match(readFileSync('packages/pades/src/appearance/layout.ts', 'utf8'), /lineSpacing = 1\.1;/));

  it('leaves a success after its popup and 100 ms', () => {
    for (const file of ['signing/ended-notice.tsx', 'processes/creation/use-creation.ts', 'processes/reading/cancel-process.tsx'])
      assert.match(readFileSync(`apps/web/src/features/${file}`, 'utf8'), /limits\.successPopupMs \+ limits\.successRedirectMs\)/);
  });

  it('knows the seven providers in the cloud, by their names, and the local program', () => {
    assert.deepEqual(pscIds, ['BIRDID', 'NEOID', 'REMOTEID', 'SAFEID', 'VIDAAS', 'DSCLOUD', 'SYN']);
    assert.equal(LAVRA_SIGNER, 'LAVRA_SIGNER');
  });

  it('renews a token of single sign-on every 30 s, within 60 s of its end', () => {
    const kept = readFileSync('apps/web/src/shell/keep-session.ts', 'utf8');
    assert.match(kept, /EVERY_MS = 30_000;/);
    assert.match(kept, /WINDOW_MS = 60_000;/);
    assert.match(kept, /setInterval\(\(\) => void keepTokenFresh\(WINDOW_MS\), EVERY_MS\)/);
  });

  const routes = ['routes', 'signed-in.routes'].map((name) => readFileSync(`apps/web/src/${name}.tsx`, 'utf8')).join('\n');
  for (const address of addresses) it(`has the address /${address}`, () => assert.ok(routes.includes(`path: '${address}'`)));

  const screens = readFileSync('apps/web/src/entity-screens.ts', 'utf8');
  for (const address of entityAddresses) it(`has the address /${address}`, () => assert.match(screens, new RegExp(`ddress: '${address}'`)));
});
