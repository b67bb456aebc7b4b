import type { Texts } from './texts.ts';

const number = new Intl.NumberFormat('en');

export const english: Texts = {
  // Days before months, as everywhere else here.
  language: 'en-GB',
  verdicts: { 'TOTAL-PASSED': 'VALID', 'TOTAL-FAILED': 'INVALID', INDETERMINATE: 'INDETERMINATE' },
  timestampVerdicts: { 'TOTAL-PASSED': 'VALID', 'TOTAL-FAILED': 'INVALID', INDETERMINATE: 'INDETERMINATE' },
  reasons: {
    BYTE_RANGE_INVALID: 'the signature does not validly say which bytes of the file it covers',
    CONTENTS_INVALID: 'the content of the signature is empty or unreadable',
    CONTENTS_NOT_IN_GAP: 'there are unsigned parts within the signed area',
    RANGE_NOT_A_REVISION: 'the signature does not cover a complete version of the document',
    RANGES_OVERLAP: 'two signatures of the file overlap',
    SUBFILTER_UNSUPPORTED: 'the format of the signature is old or unknown and cannot be checked',
    SIGNATURE_DICTIONARY_AMBIGUOUS: 'the data of the signature can be read in two different ways',
    CHANGED_AFTER_SIGNATURE: 'the document was changed after this signature',
    LATER_CHANGES_UNREADABLE: 'what changed after this signature could not be checked',
    BOX_ADDED_AFTER_CERTIFICATION: 'a visible box was added after the document was certified',
    BOX_OVER_FIELD: 'a box that was added later covers a field that was already filled in',
    CMS_MALFORMED: 'the signature is malformed',
    NOT_ONE_SIGNER: 'the signature does not have exactly one signer',
    CONTENT_ATTACHED: 'the signature carries other content within itself',
    NO_SIGNED_ATTRIBUTES: 'the signature does not protect its own data',
    CONTENT_TYPE_MISMATCH: 'the signature speaks of another type of content',
    DIGEST_MISMATCH: 'the signed content was changed: it does not match the signature',
    SIGNATURE_INVALID: 'the signature was not made with the key of this certificate',
    ALGORITHM_UNSUPPORTED: 'the algorithm is not known here',
    ALGORITHMS_DISAGREE: 'the declared algorithms contradict each other',
    ALGORITHM_WEAK: 'the algorithm is no longer secure',
    SIGNING_CERTIFICATE_NOT_FOUND: 'the signer’s certificate is not in the file',
    SIGNING_CERTIFICATE_UNPROTECTED: 'the signature does not protect the signer’s certificate',
    SIGNING_CERTIFICATE_MISMATCH: 'the certificate in the file is not the one that the signature declares',
    CHAIN_INCOMPLETE: 'the certificate of an intermediate authority is missing (--chain, --icp-brasil)',
    CHAIN_UNTRUSTED: 'the certificate does not come from an authority that you said you trust (--icp-brasil, --gov-br, --trust)',
    CHAIN_CONSTRAINTS: 'a certificate of the chain could not be used in this way',
    KEY_USAGE: 'the certificate is not meant for signing documents',
    CERTIFICATE_EXPIRED: 'the certificate has expired and nothing proves that the signature was made before',
    CERTIFICATE_NOT_YET_VALID: 'the signature was made before the certificate became valid',
    CERTIFICATE_REVOKED: 'the certificate was revoked and nothing proves that the signature was made before',
    AUTHORITY_REVOKED: 'the certificate of an authority of the chain was revoked',
    REVOCATION_UNKNOWN: 'there is no proof that the certificate was not revoked (--crl, --ocsp)',
    TIMESTAMP_IMPRINT_MISMATCH: 'the timestamp is of other content',
    TIMESTAMP_PURPOSE: 'the certificate of the timestamp is not meant for that',
    POLICY_UNKNOWN: 'the signature policy could not be read',
    POLICY_HASH_MISMATCH: 'the signature policy is not the one that ITI published',
    POLICY_ATTRIBUTE_FORBIDDEN: 'the signature carries data that its policy forbids',
    POLICY_TIMESTAMP_MISSING: 'the policy asks for a timestamp, and the signature has none',
    SIGNED_AFTER_EXPIRY: 'it is proven that the signature was made after the certificate expired',
    SIGNED_AFTER_REVOCATION: 'it is proven that the signature was made after the certificate was revoked',
    CERTIFICATE_SUSPENDED: 'a certificate is suspended by the authority that issued it',
    REVOCATION_UNPROVEN: 'it is not proven that the revocation information is older than the end of the certificate of whoever gave it',
    TIMESTAMP_ORDER: 'the timestamps contradict each other: their times do not follow the order in which they were made',
    POLICY_PERIOD: 'the signature policy was not in force when the signature was made',
    POLICY_ALGORITHM: 'the signature policy does not allow this algorithm or key size',
    POLICY_ATTRIBUTE_MISSING: 'the signature lacks data that its policy asks for',
    POLICY_ENTRY_FORBIDDEN: 'the signature’s data in the PDF have an entry that the policy forbids',
    POLICY_ROOT: 'the certificate does not belong to a chain of ICP-Brasil that the policy accepts',
    POLICY_STORE_INCOMPLETE: 'the file lacks the validation data that the policy asks for',
    POLICY_ARCHIVE_MISSING: 'the document timestamp over the validation data, which the policy asks for, is missing',
    POLICY_ARTIFACTS_MISSING: 'the file lacks the policy itself or the list of approved policies, which it asks to be kept',
  },
  notes: {
    CMS_NOT_DER: 'the signature is in BER and not in DER as PAdES asks: its level holds in form only',
    ROOM_NOT_ZERO: 'the room left behind the signature is not empty; nobody signs it and nobody sees it',
    LEVEL_FORM_ONLY: 'the level speaks of the form only: no chain reached a trusted authority',
  },
  changeKinds: {
    'validation-data': 'validation data stored in the file',
    'document-timestamp': 'timestamp added',
    metadata: 'metadata of the file updated',
    'structure-tree': 'reading structure (accessibility) changed',
    'field-filled': 'field filled in',
    'field-signed': 'field signed',
    'signature-field-added': 'signature field added',
    'box-over-field': 'box put over a field that was filled in',
    'annotation-added': 'annotation added',
    'annotation-changed': 'annotation changed',
    'annotation-removed': 'annotation removed',
    'field-added': 'form field added',
    'field-removed': 'form field removed',
    'field-altered': 'form field changed',
    'appearance-replaced': 'appearance of a field replaced',
    'page-content': 'content of a page changed',
    'page-tree': 'pages added, removed or moved',
    catalog: 'catalog of the document changed',
    trailer: 'header of references (trailer) changed',
    'cross-reference': 'inconsistent table of references',
    'hidden-object-revealed': 'content that was hidden came to be shown',
    'ambiguous-object': 'an object that different readers read in different ways',
    'data-after-end': 'loose bytes after the end of the file',
    object: 'another object of the file changed',
  },
  refusals: {
    NOT_A_PDF: 'the file is not a PDF',
    DAMAGED: 'the PDF is damaged',
    ENCRYPTED: 'the PDF is encrypted or protected by a password; save a copy without protection',
    NO_PAGES: 'the PDF has no pages',
    XFA_ONLY: 'the PDF is a dynamic form (XFA); print it to PDF and use the copy',
    FORM_NOT_DRAWABLE: 'the PDF asks each program to draw its fields, and one of them cannot be drawn; print it to PDF and use the copy',
    OWNER_FORBIDS: 'the author of the PDF does not allow it to be filled in or signed; ask for a copy without that protection',
    TOO_COMPLEX: 'the PDF is too complex to be read safely',
    NOT_VERIFIABLE:
      'once signed, the PDF would not pass verification: its structure can be read in more than one way; print it to PDF and use the copy',
    CERTIFIED_NO_CHANGES: 'the author certified the document and allows no change, and no other signature',
    FIELD_LOCKED: 'an earlier signature locked this field',
    CHANGE_NOT_PERMITTED: 'the change would make a signature that is already in the file invalid',
    FIELD_EXISTS: 'there is a field of this name already',
    FIELD_NOT_FOUND: 'there is no field of this name',
    FIELD_ALREADY_SIGNED: 'this field is signed already',
    FIELD_TYPE_MISMATCH: 'the field is of another type',
    PAGE_NOT_FOUND: 'the document does not have this page',
    INVALID_PLAN: 'the request cannot be fulfilled as it was made',
    SIGNATURE_MISMATCH: 'the signature does not match the certificate',
    RESERVE_TOO_SMALL: 'the signature did not fit into the room reserved for it',
    UNSUPPORTED_ALGORITHM: 'the key or the algorithm is not accepted',
    TIMESTAMP_UNAVAILABLE: 'the timestamp authority did not answer',
    TIMESTAMP_REFUSED: 'the timestamp authority refused the request',
    TIMESTAMP_INVALID: 'the answer of the timestamp authority is not valid',
    CERTIFICATE_INVALID: 'a certificate could not be read or is not one of those expected',
    CMS_INVALID: 'a signature could not be read',
    REVOCATION_UNAVAILABLE: 'revocation data are missing',
    POLICY_INVALID: 'the policy file is not valid',
    P12_WRONG_PASSWORD: 'the password of the certificate is wrong',
    P12_DAMAGED: 'the certificate file is damaged or of another type',
    P12_UNSUPPORTED: 'the certificate file uses a protection or key that is not accepted',
    P12_NO_KEY: 'the file does not have the private key with its certificate',
    IMAGE_UNSUPPORTED: 'the image is not an accepted PNG or JPEG',
    IMAGE_DAMAGED: 'the image is damaged',
    TEXT_NOT_ENCODABLE: 'the text has letters that the font lacks',
    FONT_UNSUPPORTED: 'the font is not accepted',
  },
  certifications: {
    1: 'no change is allowed',
    2: 'it may only be filled in and signed',
    3: 'it may only be filled in, signed and annotated',
  },
  commands: {
    sign: {
      summary: 'signs a PDF with a certificate file',
      usage: `Usage: lavra-pades sign <file.pdf> --out <new.pdf> --p12 <certificate.pfx> [options] [--json]

Signs by appending: the bytes of the file stay as they are. The new file must not exist.
  --p12 <file>               certificate and key (PKCS #12)
  --password-file <file>     password: the first line of the file; "-" reads standard input.
                             Without it, the variable LAVRA_P12_PASSWORD
  --chain <file>             intermediate certificates, PEM or DER; may be repeated
  --policy <policy>          ICP-Brasil: AD-RB (1.3), AD-RT (1.3), AD-RC (1.4), AD-RA (1.4)
  --tsa <address>            timestamp in the signature (level B-T)
  --digest <digest>          sha256, sha384, sha512 (default: as the key asks)
  --field <name>             an empty field that exists, or the name of a new one (default: the first free SignatureN)
  --page <n> --rect x,y,w,h  a new visible field, in points from the lower left corner
  --text <text> --image <file>   what the field shows
  --reason --location --name --contact <text>   entries of the dictionary (with a policy, no reason)`,
    },
    extend: {
      summary: 'takes the signatures of a PDF to B-T, B-LT or B-LTA',
      usage: `Usage: lavra-pades extend <signed.pdf> --out <new.pdf> --level <level> [options] [--json]

Takes the signatures of the file to a higher level, by appending. The new file must not exist.
  --level <level>         B-T (document timestamp), B-LT (validation material), B-LTA (both)
  --tsa <address>         timestamp authority: B-T and B-LTA
  --crl <file>            list of revoked certificates, PEM or DER; may be repeated
  --ocsp <file>           OCSP response, DER; may be repeated
  --certificate <file>    certificates that the file lacks, PEM or DER; may be repeated
  --policy-file <file> --lpa <file> --lpa-signature <file>
                          AD-RA: the policy, the list of approved policies and its signature, DER`,
    },
    inspect: {
      summary: 'says what a PDF is, what changed in it and what it still allows',
      usage: `Usage: lavra-pades inspect <file.pdf> [--pages <n>] [--json]

Says what the file is, how many revisions it has, what each signature covers, what changed after it and what is still allowed.
Checks no signatures: for that, verify. Ends with 0 when the file can be signed, with 1 when not.
  --pages <n>  of how many pages to give the geometry (default: 1)`,
    },
    verify: {
      summary: 'checks the signatures and timestamps of a PDF',
      usage: `Usage: lavra-pades verify <file.pdf> [--icp-brasil <cas.pem>] [--gov-br <cas.pem>] [--trust <root.pem>] … [--json]

Checks each signature and timestamp (EN 319 102-1), without network: what could not be checked is said.
Ends with 0 when all are valid, with 6 when one is indeterminate, with 1 when one is invalid or there is no signature.
  --icp-brasil <cas.pem>     certificates of the CAs of ICP-Brasil; only the roots v5, v12 and v2 are anchors
  --gov-br <cas.pem>         certificates of the gov.br chain
  --trust <root.pem>         another root that you trust (may be repeated)
  --chain <intermediate>     intermediate certificate that the file lacks (may be repeated)
  --crl <list>               list of revoked certificates, DER or PEM (may be repeated)
  --ocsp <response>          OCSP response kept in a file, DER (may be repeated)
  --at <date>                check as if it were that instant (ISO 8601; default: now)`,
    },
  },
  program: {
    overview: (list) => `Usage: lavra-pades <command> [options]\n\n${list}\n\n  lavra-pades <command> --help\n`,
    unknown: (name) => `Unknown command: ${name}`,
    refused: (reason, message) => `Refused: ${reason} [${message}]`,
    internal: (message) => `Internal fault: ${message}`,
  },
  faults: {
    missing: (option) => `--${option} is missing`,
    choose: (option, allowed) => `--${option}: use ${allowed.join(', ')}`,
    oneFile: 'name one PDF file',
    exists: (path) => `${path} exists already`,
    neither: (path) => `${path}: neither PEM nor DER`,
    notCertificate: 'is not a certificate',
    notRevocationList: 'is not a list of revoked certificates',
    notOcsp: 'is not an OCSP response',
    password: 'the password is missing: --password-file or LAVRA_P12_PASSWORD',
    rect: '--rect: x,y,width,height',
    page: '--page: a number from 1',
    tsaAddress: '--tsa: an http or https address',
    tsaMissing: (level) => `--level ${level}: --tsa is missing`,
    proofsMissing: (level) => `--level ${level}: --crl or --ocsp is missing`,
    artifacts: 'AD-RA: --policy-file, --lpa and --lpa-signature',
    at: '--at: use an ISO 8601 date, like 2026-11-21T10:00:00Z',
    timestamp: (reason) => `timestamp: ${reason}`,
  },
  sign: {
    done: ({ field, level, policy, out }) => `Signed in field ${field}, level ${level}${policy ? `, policy ${policy}` : ''}: ${out}`,
  },
  extend: { done: (level, out) => `Extended to ${level}: ${out}` },
  inspect: {
    permits: {
      pages: 'add pages',
      textFields: 'create text fields',
      visibleSignatureFields: 'create visible signature fields',
      signatures: 'sign',
    },
    revisions: (count) => `${number.format(count)} ${count === 1 ? 'revision' : 'revisions'}`,
    rebuilt: 'references rebuilt',
    pages: (count) => `${number.format(count)} ${count === 1 ? 'page' : 'pages'}`,
    bytes: (count) => `${number.format(count)} ${count === 1 ? 'byte' : 'bytes'}`,
    signable: 'Can be signed',
    unsignable: (reason) => `Cannot be signed: ${reason}`,
    certified: (what) => `Certified by the author: ${what}`,
    allowed: (list) => `Still allowed: ${list}`,
    empty: (field) => `Field ${field}: empty`,
    coverUnknown: ', what it covers is unknown',
    coversAll: ', covers the whole file',
    coversFirst: (count) => `, covers the first ${number.format(count)} bytes`,
    field: (name, isTimestamp) => `Field ${name}: ${isTimestamp ? 'timestamp' : 'signed'}`,
  },
  report: {
    nothing: 'There is no signature in this file',
    timestampsOnlyResult: 'there is no signature, only a timestamp',
    timestampsOnly: 'This file has no signature, only a timestamp.',
    signature: (at, total) => `Signature ${at} of ${total}`,
    timestamp: (at, total) => `Timestamp ${at} of ${total}`,
    result: (what) => `Result: ${what}`,
    somebody: 'an unknown person',
    allRight: (names) => `All is well: the document is what was signed by ${names}.`,
    changed: 'Do not trust this file: what it shows changed after it was signed.',
    failed: 'Do not trust this file: it has a signature or timestamp that is not valid.',
    doubtful: 'This cannot be said for certain: nothing here is invalid, but proof that all is well is missing.',
    passedOf: (passed, total) => `${passed} of ${total} signatures valid`,
    provenAt: (time) => `${time}, proven by a timestamp`,
    claimedAt: (time) => `${time}, only declared by the signer`,
    unknownSigner: 'unknown signer',
    noAuthority: 'none that you said you trust',
    none: 'none',
    unknownAuthority: 'unknown',
    by: (trust) => `by ${trust}`,
    unknownTime: 'unknown',
    nameless: 'without a name',
    noLevel: (subFilter) => `${subFilter}, no PAdES level`,
    formOnly: (level) => `${level} in form only`,
    coversAll: ' (covers the whole file)',
    certificateType: (type) => `${type} certificate`,
    forbidden: 'NOT ALLOWED',
    times: (count) => ` (${count} times)`,
    noTrust: 'No trusted authority was named: use --icp-brasil, --gov-br or --trust',
    labels: {
      signedBy: 'Signed by',
      authority: 'Authority',
      date: 'Date',
      kind: 'Type',
      field: 'Field',
      note: 'Note',
      reason: 'Reason',
      policy: 'Policy',
      since: 'After it',
    },
  },
};
