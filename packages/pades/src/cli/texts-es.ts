import type { Texts } from './texts.ts';

const number = new Intl.NumberFormat('es');

export const spanish: Texts = {
  language: 'es',
  verdicts: { 'TOTAL-PASSED': 'VÁLIDA', 'TOTAL-FAILED': 'NO VÁLIDA', INDETERMINATE: 'INDETERMINADA' },
  timestampVerdicts: { 'TOTAL-PASSED': 'VÁLIDO', 'TOTAL-FAILED': 'NO VÁLIDO', INDETERMINATE: 'INDETERMINADO' },
  reasons: {
    BYTE_RANGE_INVALID: 'la firma no dice, de forma válida, qué bytes del archivo cubre',
    CONTENTS_INVALID: 'el contenido de la firma está vacío o es ilegible',
    CONTENTS_NOT_IN_GAP: 'hay partes sin firmar dentro del área firmada',
    RANGE_NOT_A_REVISION: 'la firma no cubre una versión completa del documento',
    RANGES_OVERLAP: 'dos firmas del archivo se superponen',
    SUBFILTER_UNSUPPORTED: 'el formato de la firma es antiguo o desconocido y no se puede comprobar',
    SIGNATURE_DICTIONARY_AMBIGUOUS: 'los datos de la firma se pueden leer de dos formas distintas',
    CHANGED_AFTER_SIGNATURE: 'el documento se modificó después de esta firma',
    LATER_CHANGES_UNREADABLE: 'no se pudo comprobar qué cambió después de esta firma',
    BOX_ADDED_AFTER_CERTIFICATION: 'se agregó un recuadro visible después de certificar el documento',
    BOX_OVER_FIELD: 'un recuadro agregado después cubre un campo ya completado',
    CMS_MALFORMED: 'la firma está mal formada',
    NOT_ONE_SIGNER: 'la firma no tiene exactamente un firmante',
    CONTENT_ATTACHED: 'la firma lleva otro contenido dentro',
    NO_SIGNED_ATTRIBUTES: 'la firma no protege sus propios datos',
    CONTENT_TYPE_MISMATCH: 'la firma habla de otro tipo de contenido',
    DIGEST_MISMATCH: 'el contenido firmado se modificó: no coincide con la firma',
    SIGNATURE_INVALID: 'la firma no se hizo con la clave de este certificado',
    ALGORITHM_UNSUPPORTED: 'aquí no se conoce el algoritmo',
    ALGORITHMS_DISAGREE: 'los algoritmos declarados se contradicen',
    ALGORITHM_WEAK: 'el algoritmo ya no es seguro',
    SIGNING_CERTIFICATE_NOT_FOUND: 'el certificado de quien firmó no está en el archivo',
    SIGNING_CERTIFICATE_UNPROTECTED: 'la firma no protege el certificado de quien firmó',
    SIGNING_CERTIFICATE_MISMATCH: 'el certificado del archivo no es el que la firma declara',
    CHAIN_INCOMPLETE: 'falta el certificado de una autoridad intermedia (--chain, --icp-brasil)',
    CHAIN_UNTRUSTED: 'el certificado no viene de una autoridad en la que usted haya dicho confiar (--icp-brasil, --gov-br, --trust)',
    CHAIN_CONSTRAINTS: 'un certificado de la cadena no se podía usar de este modo',
    KEY_USAGE: 'el certificado no sirve para firmar documentos',
    CERTIFICATE_EXPIRED: 'el certificado caducó y nada prueba que la firma se hiciera antes',
    CERTIFICATE_NOT_YET_VALID: 'la firma se hizo antes de que el certificado empezara a valer',
    CERTIFICATE_REVOKED: 'el certificado fue revocado y nada prueba que la firma se hiciera antes',
    AUTHORITY_REVOKED: 'el certificado de una autoridad de la cadena fue revocado',
    REVOCATION_UNKNOWN: 'falta la prueba de que el certificado no estaba revocado (--crl, --ocsp)',
    TIMESTAMP_IMPRINT_MISMATCH: 'el sello de tiempo es de otro contenido',
    TIMESTAMP_PURPOSE: 'el certificado del sello de tiempo no sirve para eso',
    POLICY_UNKNOWN: 'no se pudo leer la política de firma',
    POLICY_HASH_MISMATCH: 'la política de firma no es la publicada por el ITI',
    POLICY_ATTRIBUTE_FORBIDDEN: 'la firma lleva un dato que la política prohíbe',
    POLICY_TIMESTAMP_MISSING: 'la política exige un sello de tiempo, y la firma no lo tiene',
    SIGNED_AFTER_EXPIRY: 'está probado que la firma se hizo después de caducar el certificado',
    SIGNED_AFTER_REVOCATION: 'está probado que la firma se hizo después de la revocación del certificado',
    CERTIFICATE_SUSPENDED: 'un certificado está suspendido por la autoridad que lo emitió',
    REVOCATION_UNPROVEN: 'no está probado que la información de revocación sea anterior al fin del certificado de quien la dio',
    TIMESTAMP_ORDER: 'los sellos de tiempo se contradicen: sus horas no siguen el orden en que se hicieron',
    POLICY_PERIOD: 'la política de firma no estaba vigente cuando se hizo la firma',
    POLICY_ALGORITHM: 'la política de firma no permite este algoritmo o este tamaño de clave',
    POLICY_ATTRIBUTE_MISSING: 'falta en la firma un dato que la política exige',
    POLICY_ENTRY_FORBIDDEN: 'los datos de la firma en el PDF llevan una entrada que la política prohíbe',
    POLICY_ROOT: 'el certificado no pertenece a una cadena de la ICP-Brasil que la política acepte',
    POLICY_STORE_INCOMPLETE: 'faltan en el archivo los datos de validación que la política exige',
    POLICY_ARCHIVE_MISSING: 'falta el sello de tiempo del documento sobre los datos de validación, que la política exige',
    POLICY_ARTIFACTS_MISSING: 'falta en el archivo la propia política o la lista de políticas aprobadas, que ella exige guardar',
  },
  notes: {
    CMS_NOT_DER: 'la firma está en BER y no en DER como pide PAdES: el nivel vale solo en la forma',
    ROOM_NOT_ZERO: 'el espacio que sobró detrás de la firma no está vacío; nadie lo firma y nadie lo ve',
    LEVEL_FORM_ONLY: 'el nivel habla solo de la forma: ninguna cadena llegó a una autoridad de confianza',
  },
  changeKinds: {
    'validation-data': 'datos de validación guardados en el archivo',
    'document-timestamp': 'sello de tiempo agregado',
    metadata: 'metadatos del archivo actualizados',
    'structure-tree': 'estructura de lectura (accesibilidad) modificada',
    'field-filled': 'campo rellenado',
    'field-signed': 'campo firmado',
    'signature-field-added': 'campo de firma agregado',
    'box-over-field': 'recuadro puesto sobre un campo rellenado',
    'annotation-added': 'anotación agregada',
    'annotation-changed': 'anotación modificada',
    'annotation-removed': 'anotación eliminada',
    'field-added': 'campo de formulario agregado',
    'field-removed': 'campo de formulario eliminado',
    'field-altered': 'campo de formulario modificado',
    'appearance-replaced': 'aspecto de un campo sustituido',
    'page-content': 'contenido de una página modificado',
    'page-tree': 'páginas agregadas, eliminadas o cambiadas de lugar',
    catalog: 'catálogo del documento modificado',
    trailer: 'cabecera de referencias (trailer) modificada',
    'cross-reference': 'tabla de referencias incoherente',
    'hidden-object-revealed': 'un contenido que estaba oculto pasó a verse',
    'ambiguous-object': 'un objeto que distintos lectores leen de distintas formas',
    'data-after-end': 'bytes sueltos después del final del archivo',
    object: 'otro objeto del archivo modificado',
  },
  refusals: {
    NOT_A_PDF: 'el archivo no es un PDF',
    DAMAGED: 'el PDF está dañado',
    ENCRYPTED: 'el PDF está cifrado o protegido con contraseña; guarde una copia sin protección',
    NO_PAGES: 'el PDF no tiene páginas',
    XFA_ONLY: 'el PDF es un formulario dinámico (XFA); imprímalo en PDF y use la copia',
    FORM_NOT_DRAWABLE:
      'el PDF pide que cada programa dibuje sus campos, y uno de ellos no se puede dibujar; imprímalo en PDF y use la copia',
    OWNER_FORBIDS: 'el autor del PDF no permite rellenarlo ni firmarlo; pida una copia sin esa protección',
    TOO_COMPLEX: 'el PDF es demasiado complejo para leerlo con seguridad',
    NOT_VERIFIABLE:
      'una vez firmado, el PDF no pasaría la verificación: su estructura se puede leer de más de una forma; imprímalo en PDF y use la copia',
    CERTIFIED_NO_CHANGES: 'el autor certificó el documento y no permite ningún cambio ni otra firma',
    FIELD_LOCKED: 'una firma anterior bloqueó este campo',
    CHANGE_NOT_PERMITTED: 'el cambio invalidaría una firma que ya está en el archivo',
    FIELD_EXISTS: 'ya existe un campo con este nombre',
    FIELD_NOT_FOUND: 'no existe ningún campo con este nombre',
    FIELD_ALREADY_SIGNED: 'este campo ya está firmado',
    FIELD_TYPE_MISMATCH: 'el campo es de otro tipo',
    PAGE_NOT_FOUND: 'el documento no tiene esta página',
    INVALID_PLAN: 'la petición no se puede cumplir tal como se hizo',
    SIGNATURE_MISMATCH: 'la firma no coincide con el certificado',
    RESERVE_TOO_SMALL: 'la firma no cupo en el espacio reservado',
    UNSUPPORTED_ALGORITHM: 'no se acepta la clave o el algoritmo',
    TIMESTAMP_UNAVAILABLE: 'la autoridad de sellado de tiempo no respondió',
    TIMESTAMP_REFUSED: 'la autoridad de sellado de tiempo rechazó la petición',
    TIMESTAMP_INVALID: 'la respuesta de la autoridad de sellado de tiempo no es válida',
    CERTIFICATE_INVALID: 'un certificado no se pudo leer o no es de los esperados',
    CMS_INVALID: 'no se pudo leer una firma',
    REVOCATION_UNAVAILABLE: 'faltan datos de revocación',
    POLICY_INVALID: 'el archivo de la política no es válido',
    P12_WRONG_PASSWORD: 'la contraseña del certificado es incorrecta',
    P12_DAMAGED: 'el archivo del certificado está dañado o es de otro tipo',
    P12_UNSUPPORTED: 'el archivo del certificado usa una protección o una clave que no se acepta',
    P12_NO_KEY: 'el archivo no tiene la clave privada con su certificado',
    IMAGE_UNSUPPORTED: 'la imagen no es un PNG o JPEG aceptado',
    IMAGE_DAMAGED: 'la imagen está dañada',
    TEXT_NOT_ENCODABLE: 'el texto tiene letras que la fuente no tiene',
    FONT_UNSUPPORTED: 'no se acepta la fuente',
  },
  certifications: {
    1: 'no se permite ningún cambio',
    2: 'solo se puede rellenar y firmar',
    3: 'solo se puede rellenar, firmar y anotar',
  },
  commands: {
    sign: {
      summary: 'firma un PDF con un archivo de certificado',
      usage: `Uso: lavra-pades sign <archivo.pdf> --out <nuevo.pdf> --p12 <certificado.pfx> [opciones] [--json]

Firma agregando: los bytes del archivo quedan como están. El archivo nuevo no puede existir.
  --p12 <archivo>            certificado y clave (PKCS #12)
  --password-file <archivo>  contraseña: la primera línea del archivo; "-" lee de la entrada estándar.
                             Sin eso, la variable LAVRA_P12_PASSWORD
  --chain <archivo>          certificados intermedios, PEM o DER; se puede repetir
  --policy <política>        ICP-Brasil: AD-RB (1.3), AD-RT (1.3), AD-RC (1.4), AD-RA (1.4)
  --tsa <dirección>          sello de tiempo en la firma (nivel B-T)
  --digest <resumen>         sha256, sha384, sha512 (por defecto: según la clave)
  --field <nombre>           campo vacío que existe, o el nombre de uno nuevo (por defecto: el primer SignatureN libre)
  --page <n> --rect x,y,a,h  campo nuevo visible, en puntos desde la esquina inferior izquierda
  --text <texto> --image <archivo>   lo que muestra el campo
  --reason --location --name --contact <texto>   entradas del diccionario (con política, sin motivo)`,
    },
    extend: {
      summary: 'lleva las firmas de un PDF a B-T, B-LT o B-LTA',
      usage: `Uso: lavra-pades extend <firmado.pdf> --out <nuevo.pdf> --level <nivel> [opciones] [--json]

Lleva las firmas del archivo a un nivel más alto, agregando. El archivo nuevo no puede existir.
  --level <nivel>         B-T (sello de tiempo del documento), B-LT (material de validación), B-LTA (los dos)
  --tsa <dirección>       autoridad de sellado de tiempo: B-T y B-LTA
  --crl <archivo>         lista de certificados revocados, PEM o DER; se puede repetir
  --ocsp <archivo>        respuesta OCSP, DER; se puede repetir
  --certificate <archivo> certificados que faltan en el archivo, PEM o DER; se puede repetir
  --policy-file <archivo> --lpa <archivo> --lpa-signature <archivo>
                          AD-RA: la política, la lista de políticas aprobadas y su firma, DER`,
    },
    inspect: {
      summary: 'dice qué es un PDF, qué cambió en él y qué permite todavía',
      usage: `Uso: lavra-pades inspect <archivo.pdf> [--pages <n>] [--json]

Dice qué es el archivo, cuántas revisiones tiene, qué cubre cada firma, qué cambió después de ella y qué se permite todavía.
No comprueba firmas: para eso, verify. Termina con 0 cuando se puede firmar, con 1 cuando no.
  --pages <n>  de cuántas páginas dar la geometría (por defecto: 1)`,
    },
    verify: {
      summary: 'comprueba las firmas y los sellos de tiempo de un PDF',
      usage: `Uso: lavra-pades verify <archivo.pdf> [--icp-brasil <acs.pem>] [--gov-br <acs.pem>] [--trust <raíz.pem>] … [--json]

Comprueba cada firma y cada sello de tiempo (EN 319 102-1), sin red: lo que no se pudo comprobar se dice.
Termina con 0 cuando todas son válidas, con 6 cuando alguna queda indeterminada, con 1 cuando alguna no es válida o
no hay firma.
  --icp-brasil <acs.pem>     certificados de las AC de la ICP-Brasil; solo las raíces v5, v12 y v2 valen como ancla
  --gov-br <acs.pem>         certificados de la cadena gov.br
  --trust <raíz.pem>         otra raíz en la que usted confía (se puede repetir)
  --chain <intermedio>       certificado intermedio que falta en el archivo (se puede repetir)
  --crl <lista>              lista de certificados revocados, DER o PEM (se puede repetir)
  --ocsp <respuesta>         respuesta OCSP guardada en un archivo, DER (se puede repetir)
  --at <fecha>               comprobar como si fuera ese instante (ISO 8601; por defecto: ahora)`,
    },
  },
  program: {
    overview: (list) => `Uso: lavra-pades <comando> [opciones]\n\n${list}\n\n  lavra-pades <comando> --help\n`,
    unknown: (name) => `Comando desconocido: ${name}`,
    refused: (reason, message) => `Rechazado: ${reason} [${message}]`,
    internal: (message) => `Error interno: ${message}`,
  },
  faults: {
    missing: (option) => `falta --${option}`,
    choose: (option, allowed) => `--${option}: use ${allowed.join(', ')}`,
    oneFile: 'indique un archivo PDF',
    exists: (path) => `${path} ya existe`,
    neither: (path) => `${path}: ni PEM ni DER`,
    notCertificate: 'no es un certificado',
    notRevocationList: 'no es una lista de certificados revocados',
    notOcsp: 'no es una respuesta OCSP',
    password: 'falta la contraseña: --password-file o LAVRA_P12_PASSWORD',
    rect: '--rect: x,y,ancho,alto',
    page: '--page: un número a partir de 1',
    tsaAddress: '--tsa: una dirección http o https',
    tsaMissing: (level) => `--level ${level}: falta --tsa`,
    proofsMissing: (level) => `--level ${level}: falta --crl o --ocsp`,
    artifacts: 'AD-RA: --policy-file, --lpa y --lpa-signature',
    at: '--at: use una fecha ISO 8601, como 2026-11-21T10:00:00Z',
    timestamp: (reason) => `sello de tiempo: ${reason}`,
  },
  sign: {
    done: ({ field, level, policy, out }) => `Firmado en el campo ${field}, nivel ${level}${policy ? `, política ${policy}` : ''}: ${out}`,
  },
  extend: { done: (level, out) => `Extendido a ${level}: ${out}` },
  inspect: {
    permits: {
      pages: 'agregar páginas',
      textFields: 'crear campos de texto',
      visibleSignatureFields: 'crear campos visibles de firma',
      signatures: 'firmar',
    },
    revisions: (count) => `${number.format(count)} ${count === 1 ? 'revisión' : 'revisiones'}`,
    rebuilt: 'referencias reconstruidas',
    pages: (count) => `${number.format(count)} ${count === 1 ? 'página' : 'páginas'}`,
    bytes: (count) => `${number.format(count)} ${count === 1 ? 'byte' : 'bytes'}`,
    signable: 'Se puede firmar',
    unsignable: (reason) => `No se puede firmar: ${reason}`,
    certified: (what) => `Certificado por el autor: ${what}`,
    allowed: (list) => `Todavía se puede: ${list}`,
    empty: (field) => `Campo ${field}: vacío`,
    coverUnknown: ', no se sabe qué cubre',
    coversAll: ', cubre todo el archivo',
    coversFirst: (count) => `, cubre los primeros ${number.format(count)} bytes`,
    field: (name, isTimestamp) => `Campo ${name}: ${isTimestamp ? 'sello de tiempo' : 'firmado'}`,
  },
  report: {
    nothing: 'No hay ninguna firma en este archivo',
    timestampsOnlyResult: 'no hay firma, solo un sello de tiempo',
    timestampsOnly: 'Este archivo no tiene firma, solo un sello de tiempo.',
    signature: (at, total) => `Firma ${at} de ${total}`,
    timestamp: (at, total) => `Sello de tiempo ${at} de ${total}`,
    result: (what) => `Resultado: ${what}`,
    somebody: 'una persona desconocida',
    allRight: (names) => `Todo en orden: el documento es el que fue firmado por ${names}.`,
    changed: 'No confíe en este archivo: lo que muestra cambió después de firmarse.',
    failed: 'No confíe en este archivo: tiene una firma o un sello de tiempo que no vale.',
    doubtful: 'No se puede afirmar: nada aquí deja de ser válido, pero falta lo que pruebe que todo está en orden.',
    passedOf: (passed, total) => `${passed} de ${total} firmas ${passed === 1 ? 'es válida' : 'son válidas'}`,
    provenAt: (time) => `${time}, probada por un sello de tiempo`,
    claimedAt: (time) => `${time}, solo declarada por quien firmó`,
    unknownSigner: 'firmante desconocido',
    noAuthority: 'ninguna en la que usted haya dicho confiar',
    none: 'ninguna',
    unknownAuthority: 'desconocida',
    by: (trust) => `por ${trust}`,
    unknownTime: 'desconocida',
    nameless: 'sin nombre',
    noLevel: (subFilter) => `${subFilter}, sin nivel PAdES`,
    formOnly: (level) => `${level} solo en la forma`,
    coversAll: ' (cubre todo el archivo)',
    certificateType: (type) => `certificado ${type}`,
    forbidden: 'NO PERMITIDO',
    times: (count) => ` (${count} veces)`,
    noTrust: 'No se indicó ninguna autoridad de confianza: use --icp-brasil, --gov-br o --trust',
    labels: {
      signedBy: 'Firmada por',
      authority: 'Autoridad',
      date: 'Fecha',
      kind: 'Tipo',
      field: 'Campo',
      note: 'Nota',
      reason: 'Motivo',
      policy: 'Política',
      since: 'Después de ella',
    },
  },
};
