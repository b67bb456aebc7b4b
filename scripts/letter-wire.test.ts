import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { everyCall } from '../apps/server/src/http/openapi/every-call.ts';

/**
 * Section 7, copied line by line with the shapes that section 3 gives their answers; none of it comes from `packages/api`. After the address
 * a line names what the query has (`?`), what the body has (`{`) and what the answer has (`→`), each list between blanks.
 */
const account = 'login firstName lastName email langKey activated authorities loginType';
const user = 'id login firstName lastName email activated langKey authorities createdBy createdDate lastModifiedBy lastModifiedDate';
const signatureProcess =
  'id title createdDate finalizedDate status dueDate reminderIn files documents type createdByFront applicationUser finalized';
/** Of one process: a page of them would be a thousand times as long. */
const ofOneProcess = 'signers signatures signatures.visualSignature.signatureModel.imagePosition';
const signer = 'id name email phoneNumber legalIdentifier order signatureProcess createdDate dueDate status';
const signature =
  'id status rejectCause signatureFinalized signatureFinalizedContentType finalizedDate createdDate signer signatureProcess document';
const contractType = 'id name documents digitalSignatures eletronicSignatures storage accountUsersLimit';
const contract =
  'id validity created paymentType uploadedDocuments digitalSignaturesDone eletronicSinaturesDone storageUsed storageRetentionTime applicationUsers contractType';
const model = 'id name width height imagePosition customText textFont textFontSize textPadding textAlignment';
const evidence =
  'signatureEvidence signatureEvidence.ip signatureEvidence.latitude signatureEvidence.longitude signatureEvidence.accuracy signatureEvidence.signatureImage signatureEvidence.signatureImageContentType';
const list = 'page size sort cacheBuster';

const lines = `
GET api/account → ${account}
POST api/account { firstName lastName email langKey
POST api/account/change-password { currentPassword newPassword
POST api/account/reset-password/init
POST api/account/reset-password/finish { key newPassword
GET api/activate ? key
POST api/register { firstName login email password langKey
POST api/registerSocial { username uid email password locale
POST api/authenticate { username password rememberMe email → id_token
GET api/applicationUser/hasPermission ? actionFlowWebType
GET api/admin/users → ${user}
POST api/admin/users { firstName lastName email langKey authorities activated password
GET api/admin/users/:id → ${user}
PUT api/admin/users/:id
DELETE api/admin/users/:id
GET api/users → id login
GET api/authorities
GET management/jhimetrics
GET management/threaddump
GET management/loggers
POST management/loggers/:name { configuredLevel
GET management/configprops
GET management/env
GET management/info → display-ribbon-on-profiles activeProfiles
GET api/clarity-enable
GET api/buildCounterInfos → pending received requested
GET api/buildProcessesInfos ? page size sortBy direction searchText sortRequested sortReceived sortPending → total signatureProcesses
GET api/buildSubDataProcesses/:processId → signers signers.name signers.email signers.status documents documents.name currentIsOwner
GET api/current-link-signature/:processId → link
GET api/checkUsageAlert → shouldAlert currentSignatures planSignatures
GET api/getIdUserLogged
GET api/getEmailUserLogged
POST api/signers { signer signatureVisibleActive visibleSignature visibleSignature.name visibleSignature.page visibleSignature.x visibleSignature.y visibleSignature.realSignature modelId
POST api/documents
POST api/createSignatureRejected { rejectCause processId signerId
GET api/requisitionInformation/:processId → signers signers.order signers.name signers.email signers.phoneNumber
GET api/signatureStatus/:processId/:signerId → status reason finalized
GET api/findCertificates/:cpf → availablePscs
GET api/createUrlAuthorize ? userLegalIdentifier userPsc processId → url
POST api/createAuthorizeTransactionCallback { code state id image → statusCode
POST api/signature-evidences/initEletronicSignature { processId cpf name ${evidence}
POST api/signature-evidences/generateEvidencePage { processId ${evidence}
POST api/signature-evidences/registerSignatureEvidence { processId signerId ${evidence}
GET api/downloadSignature/:processId/:documentId
GET api/downloadEvidence/:processId/:documentId
GET api/download/:id
GET api/downloadWithFooter/:id
GET api/loginValidation ? documentId emailSigner → reason
GET api/validation ? documentId → nameDocument signers signers.name signers.legalIdentifier signers.email signers.status logsProcess logsProcess.timestamp logsProcess.message signedDocumentWithEvidencePage
GET api/get-signature-models-by-user → ${model} createdDate
GET api/get-default-eletronic-signature-model → ${model} createdDate
GET api/get-signature-model/:id → ${model} createdDate
POST api/create-signature-model { ${model}
POST api/update-signature-model { ${model}
DELETE api/delete-signature-model/:id
GET api/companies ? ${list}
GET api/companies/:id → name maxDocSize maxTime
POST api/companies
PUT api/companies/:id
PATCH api/companies/:id
DELETE api/companies/:id
GET api/_search/companies ? query page size sort
GET api/findCompanyCurrentUser → members members.id members.name members.email members.authority maxDocSize maxTime
GET api/signatureProcessListById/:id → documents createdDate dueDate status signers signers.order signers.name signers.email signers.status
GET api/InviteCompany/:x
GET api/acceptInviteCompany/:a/:b
GET api/makeAdministrator/:a/:b
GET api/makeUser/:a/:b
GET api/removeUser/:a/:b
POST api/removeUser/:companyId/:userId
GET api/retention/:a/:b
POST api/retention/:maxDocSize/:maxTime
GET api/sizeIsAllowed/:size
GET api/signature-processes → ${signatureProcess}
POST api/signature-processes { title createdDate dueDate reminderIn type files files.id files.name createdByFront → id
GET api/signature-processes/:id → ${signatureProcess} files.id files.name ${ofOneProcess}
PUT api/signature-processes/:id
DELETE api/signature-processes/:id
GET api/_search/signature-processes ? query page size sort
POST api/stakeholders { name email stakeholderName stakeholderEmail signatureProcess → name email stakeholderName stakeholderEmail
GET api/contracts/:id → ${contract} contractType.id applicationUsers.id
POST api/contracts { validity paymentType storageRetentionTime contractType applicationUsers
GET api/contract-types/:id → ${contractType}
POST api/contract-types { name documents digitalSignatures eletronicSignatures storage accountUsersLimit
GET api/documents/:id → id hash createdDate name applicationUser
GET api/signers/:id → ${signer}
GET api/signatures/:id → ${signature}
GET api/application-users/:id → id legalIdentifier user user.id company company.id
`
  .trim()
  .split('\n');

/** “CRUD on api/documents, …, each with a _search variant; lists use page, size, sort, cacheBuster”. */
const entities = ['documents', 'signers', 'stakeholders', 'signatures', 'application-users', 'contracts', 'contract-types'];
for (const path of entities)
  lines.push(
    `GET api/${path} ? ${list}`,
    `POST api/${path}`,
    `GET api/${path}/:id`,
    `PUT api/${path}/:id`,
    `DELETE api/${path}/:id`,
    `GET api/_search/${path} ? query ${list}`,
  );

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
  readonly entries?: Readonly<Record<string, string>>;
}
interface Schema {
  readonly _zod: { readonly def: Def };
}

/** The names that a schema has, those within others behind a dot; a list is what its items are. */
function namesIn(schema: Schema | undefined, before = ''): string[] {
  if (!schema) return [];
  const { shape, innerType, element, options } = schema._zod.def;
  if (shape) return Object.entries(shape).flatMap(([name, inner]) => [before + name, ...namesIn(inner, `${before}${name}.`)]);
  if (options) return options.flatMap((option) => namesIn(option, before));
  return namesIn(innerType ?? element, before);
}

const bare = (path: string) => path.replace(/:\w+/g, ':');
const calls = [...everyCall.values()];

/** Every name of a call, as its line writes them: those of a list are its items'. */
function said(method: string, path: string) {
  const found = calls.filter((call) => call.method === method && bare(call.path) === bare(path));
  assert.ok(found.length > 0, `there is no ${method} ${path}`);
  const all = (part: 'query' | 'body' | 'reply') => new Set(found.flatMap((call) => namesIn(call[part] as Schema | undefined)));
  const reply = [...all('reply')].flatMap((name) => [name, name.replace(/^items\./, '')]);
  return { '?': all('query'), '{': all('body'), '→': new Set(reply) };
}

describe('the calls of section 7, by name', () => {
  for (const line of lines)
    it(line.slice(0, 110), () => {
      const [method = '', path = '', ...words] = line.split(' ');
      const has = said(method, path);
      let part: keyof typeof has = '?';
      for (const word of words) {
        if (word in has) part = word as keyof typeof has;
        else assert.ok(has[part].has(word), `${method} ${path} has no ${word} ${part}`);
      }
    });
});

/** The values between which section 3 and 7 let a field choose, in the place where the wire has it. */
const choices: Readonly<Record<string, readonly [string, string, string]>> = {
  'CREATE_PROCESS LOGIN': ['GET', 'api/applicationUser/hasPermission', 'actionFlowWebType'],
  'DIGITAL_SIGNATURE ELETRONIC_SIGNATURE': ['POST', 'api/signature-processes', 'type'],
  'IN_PROGRESS FINALIZED_WITH_SUCCESS FINALIZED_BY_EXPIRATION FINALIZED_BY_REJECTION CREATOR_CANCELED': [
    'GET',
    'api/requisitionInformation/:processId',
    'status',
  ],
  'SENT SIGNED REJECTED': ['GET', 'api/signatures/:id', 'status'],
  'SENT SIGNED REJECTED ': ['GET', 'api/signers/:id', 'status'],
  'SIGNED EXPIRED SIGNING ERROR_WHILE_SIGNING': ['GET', 'api/signatureStatus/:processId/:signerId', 'status'],
  'MONTHLY YEARLY': ['GET', 'api/contracts/:id', 'paymentType'],
  'LEFT RIGHT TOP BOTTOM BACKGROUND NONE': ['POST', 'api/create-signature-model', 'imagePosition'],
  'HELVETICA TIMES_ROMAN COURIER': ['POST', 'api/create-signature-model', 'textFont'],
  'LEFT RIGHT CENTER': ['POST', 'api/create-signature-model', 'textAlignment'],
  'ROLE_ADMIN ROLE_USER': ['GET', 'api/account', 'authorities'],
  'pt-br en es': ['GET', 'api/account', 'langKey'],
};

function valuesOf(schema: Schema | undefined): string[] {
  const { entries, innerType, element, options } = schema?._zod.def ?? {};
  return entries
    ? Object.values(entries)
    : options
      ? options.flatMap(valuesOf)
      : innerType || element
        ? valuesOf(innerType ?? element)
        : [];
}

describe('the choices of sections 3 and 7', () => {
  for (const [values, [method, path, field]] of Object.entries(choices))
    it(`${field}: ${values.trim()}`, () => {
      const call = calls.find((one) => one.method === method && one.path === path);
      const shapes = [call?.query, call?.body, call?.reply].map((schema) => (schema as Schema | undefined)?._zod.def.shape?.[field]);
      const known = shapes.flatMap(valuesOf);
      for (const value of values.trim().split(' ')) assert.ok(known.includes(value), `${path} does not know ${value}`);
    });
});

describe('who makes the calls (section 6)', () => {
  const administration = /^(api\/(_search\/)?(contracts|contract-types|admin|users|authorities)\b|management\/(?!info))/;
  for (const { method, path, access } of calls.filter((call) => administration.test(call.path)))
    it(`ADMIN: ${method} ${path}`, () => assert.deepEqual(access, ['ROLE_ADMIN']));

  const open = ['authenticate', 'register', 'registerSocial', 'activate', 'account/reset-password/init', 'account/reset-password/finish'];
  for (const path of [...open, 'loginValidation', 'validation', 'createAuthorizeTransactionCallback', 'clarity-enable'])
    it(`open: api/${path}`, () => {
      const found = calls.filter((call) => call.path === `api/${path}`);
      assert.ok(found.length > 0 && found.every(({ access }) => access === 'public'));
    });

  it('“the signer is identified by the user query”', () => {
    const asked = ['requisitionInformation/:', 'downloadSignature/:/:', 'downloadEvidence/:/:', 'download/:', 'downloadWithFooter/:'];
    for (const path of asked) {
      const { access } = calls.find((call) => bare(call.path) === `api/${path}`) ?? {};
      assert.equal(typeof access === 'object' && 'link' in access && access.link, 'query.user', path);
    }
  });
  it('reset-password/init answers 200, whoever asks', () =>
    assert.equal(calls.find(({ path }) => path === 'api/account/reset-password/init')?.status, 200));
});

describe('what every call carries', () => {
  const read = (path: string) => readFileSync(path, 'utf8');
  const client = read('apps/web/src/lib/api-client.ts');
  it('“Requests carry a Bearer token”', () => assert.match(client, /Authorization: `Bearer \$\{token\}`/));
  it('“timeout 60 s”', () => assert.match(client, /AbortSignal\.timeout\(limits\.requestTimeoutMs\)/));
  it('“bearer token returned in the authorization header”', () => {
    assert.match(read('apps/server/src/http/answer-entrance.ts'), /header\('authorization', `Bearer \$\{token\}`\)/);
    assert.match(read('apps/server/src/features/accounts/accounts.routes.ts'), /answerEntrance/);
  });
  it('“management/health”, for programs', () =>
    assert.match(read('apps/server/src/features/management/watch.routes.ts'), /app\.get\('\/management\/health',/));
  it('“multipart, field files”', () => assert.match(read('apps/web/src/lib/upload-file.ts'), /form\.append\('files', file, file\.name\)/));
  it('lists “return x-total-count”', () => assert.match(read('apps/server/src/http/route.ts'), /header\('X-Total-Count', total\)/));
  it('“GET i18n/{locale}.json”', () =>
    assert.match(read('apps/server/src/features/management/management.routes.ts'), /'\/i18n\/:file'[\s\S]*\^\[a-z-\]\+\\\.json\$/));
});
