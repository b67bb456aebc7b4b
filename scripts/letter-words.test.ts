import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMessages } from '../apps/server/src/language/translator.ts';

/**
 * What section 2 calls things, copied from its lines, by the key under which a screen says it. The specification's word comes first; a unit in
 * brackets may follow, and its spelling “eletronic” is the wire's alone.
 */
const english: Readonly<Record<string, string>> = {
  // Contract type: “table (id, name, documents, digital signatures, eletronic signatures, storage, account users limit)”.
  'entity.id': 'id',
  'contractType.field.name': 'name',
  'contractType.field.documents': 'documents',
  'contractType.field.digitalSignatures': 'digital signatures',
  'contractType.field.eletronicSignatures': 'electronic signatures',
  'contractType.field.storage': 'storage',
  'contractType.field.accountUsersLimit': 'account users limit',
  // “Edit and Delete per row”, “Back and Edit”, “Back and Save”, “Cancel and Delete”.
  'entity.edit': 'Edit',
  'entity.delete': 'Delete',
  'entity.back': 'Back',
  'entity.save': 'Save',
  'entity.cancel': 'Cancel',
  'entity.search': 'search',
  'entity.refresh': 'refresh',
  // “heading Contracts … table with id, validity, created, payment type, uploaded documents, digital signatures done, …”.
  'contract.title': 'Contracts',
  'contractType.title': 'contract types',
  'contract.column.validity': 'validity',
  'contract.column.created': 'created',
  'contract.column.paymentType': 'payment type',
  'contract.column.uploadedDocuments': 'uploaded documents',
  'contract.column.digitalSignaturesDone': 'digital signatures done',
  'contract.column.eletronicSinaturesDone': 'electronic signatures done',
  'contract.column.storageUsed': 'storage used',
  'contract.column.storageRetentionTime': 'storage retention time',
  'contract.column.applicationUsers': 'application user',
  'contract.field.validity': 'validity',
  'contract.field.paymentType': 'payment type',
  'contract.field.storageRetentionTime': 'storage retention time',
  'contract.field.contractType': 'contract type',
  // Prepare and confirm: “title; general deadline …; quantity; interested parties; reminder; Cancel … and Next”, “Back”.
  'prepare.name': 'title',
  'prepare.generalDeadline': 'general deadline',
  'prepare.quantity': 'quantity',
  'word.stakeholders': 'interested parties',
  'prepare.reminder': 'reminder',
  'word.cancel': 'Cancel',
  'prepare.next': 'Next',
  'word.back': 'Back',
  'confirm.previousDocument': 'previous document',
  'confirm.nextDocument': 'next document',
  // “requested”, “pending”, “received”.
  'home.import': 'Import',
  'home.requested': 'requested',
  'home.pending': 'pending',
  'home.received': 'received',
  // “Table of signers (order, name, email, phone)”; “table of documents (name, status)”.
  'word.order': 'order',
  'word.name': 'name',
  'word.email': 'e-mail',
  'download.name': 'name',
  'word.status': 'status',
  'home.column.status': 'status',
  'sign.style': 'signature style',
  // “signatures, signature model, settings, change password, sign out”; “retention policy panel”.
  'shell.signatures': 'signatures',
  'models.title': 'signature models',
  'shell.settings': 'settings',
  'shell.password': 'change password',
  'shell.logout': 'sign out',
  'company.retention': 'retention policy',
  // “Model types: image with text, image only, text only”; “text margin”, “font size”.
  'models.type.imageAndText': 'image with text',
  'models.type.image': 'image only',
  'models.type.text': 'text only',
  'models.width': 'width',
  'models.height': 'height',
  'models.textFontSize': 'font size',
  'sso.noAccessTitle': 'no access',
};

/** What a sentence has to say, though the specification gives no words for it: in each language what stands for it. */
const meant: Readonly<Record<string, readonly [pt: RegExp, en: RegExp]>> = {
  'password.hint': [/6 caracteres.*maiúscula.*minúscula.*número/, /6 characters.*upper case.*lower case.*digit/],
  'password.repeat': [/^Repita a/, /^Repeat the/],
  'password.dontmatch': [/não são iguais/, /do not match/],
  'login.remember': [/conectado/, /signed in/],
  'login.forgot': [/senha/, /password/],
  'activate.success': [/conta está ativa/, /account is active/],
  'activate.failure': [/^Não foi possível ativar a conta/, /could not be activated/],
  'entity.deleteQuestion': [/^Tem certeza/, /^Are you sure/],
  'shell.loading': [/^Carregando…$/, /^Loading…$/],
  'home.cancel': [/^Cancelar processo$/, /^Cancel process$/],
  'word.download': [/^Baixar/, /^Download/],
  'download.submit': [/selecionados/, /selected/],
  'prepare.multiple': [/^Várias assinaturas/, /^Several signatures/],
  'prepare.individualDeadlines': [/^Prazo individual por signatário$/, /^Individual deadline per signer$/],
  'prepare.hasStakeholders': [/interessados/, /interested parties/],
  'confirm.visible': [/^Assinatura visível/, /^Visible signature/],
  'confirm.digital': [/digital/, /^Digital.*qualified$/],
  'confirm.electronic': [/eletrônica – avançada$/, /^Electronic.*advanced$/],
  'confirm.realSignature': [/principal/, /main/i],
  'sign.stepOf': [/^Passo \{\{number\}\} de 2$/, /^Step \{\{number\}\} of 2$/],
  'models.textPadding': [/^Margem/, /^Margin/],
  'company.maxTime': [/dias/i, /days/i],
  'company.maxDocSize': [/documento \(MB\)$/, /document \(MB\)$/],
  'company.promote': [/administrador/, /administrator/],
  'company.demote': [/usuário/, /user/],
  'company.remove': [/^Remover/, /^Remove/],
  // Section 4.
  'signerEntity.choice.status.WAITING': [/vez/, /^Waiting turn$/],
  'signerStatus.WAITING': [/vez/, /^Waiting turn$/],
  'signer.ended.finalized': [/Todas as pessoas já assinaram/, /Everyone has signed/],
  'signer.ended.next': [/^Quando todas as pessoas assinarem/, /^When everyone has signed/],
  'signer.failed': [/^Não foi possível concluir a assinatura/, /could not be completed/],
  // Sections 5, 6 and 8: what a warning is about.
  'process.signersRequired': [/ao menos uma pessoa/, /at least one signer/],
  'process.documentsRequired': [/ao menos um documento/, /at least one PDF document/],
  'process.duplicateFileName': [/Já há um documento com o nome “\{\{name\}\}”/, /already a document named “\{\{name\}\}”/],
  'document.notPdf': [/não é um arquivo PDF/, /is not a PDF file/],
  'process.individualDeadlinesNotAscending': [/ordem crescente/, /ascending order/],
  'process.deadlineBeforeLastIndividual': [
    /não pode ser antes do último prazo individual/,
    /cannot be before the last individual deadline/,
  ],
  'process.deadlineTooEarly': [/a partir de amanhã/, /from tomorrow on/],
  'process.reminderConflict': [/^Conflito de datas/, /^Time conflict/],
  'process.contractSuspended': [/contrato.*suspenso/, /contract is suspended/],
  'evidence.cpfInvalid': [/Digite os 11 números/, /Type its 11 digits/],
  'evidence.ipMissing': [/^Não foi possível obter o endereço IP/, /^The IP address could not be obtained/],
  'signer.rejectCauseRequired': [/por que/, /why/],
  'digital.typeRequired': [/certificado/, /certificate/],
  'digital.noneFoundHint': [/^Confira o CPF/, /^Check the CPF/],
  popupClosed: [/janela de entrada foi fechada/, /sign-in window was closed/],
  'account.wrongPassword': [/^Senha incorreta/, /^Wrong password/],
  'account.userexists': [/^Já existe uma conta com este e-mail/, /already an account with this e-mail/],
  'account.incorrectPassword': [/^A senha atual não confere/, /^Incorrect password/],
  'company.emailInvalid': [/^Email inválido: use o formato .*@suaempresa/, /format .*@yourcompany/],
  'company.emailFree': [/domínio da empresa/, /company’s own domain/],
};

const said = { pt: readMessages('locales', 'pt-br'), en: readMessages('locales', 'en') };

describe('words of the screens, to the letter', () => {
  for (const [key, word] of Object.entries(english))
    it(`${word} (${key})`, () => assert.equal((said.en[key] ?? '').replace(/ \(.*\)$/, '').toLowerCase(), word.toLowerCase()));
});

describe('what sentences have to say', () => {
  for (const [key, [pt, en]] of Object.entries(meant))
    it(key, () => {
      assert.match(said.pt[key] ?? '', pt);
      assert.match(said.en[key] ?? '', en);
    });
});
