import type { Texts } from './texts.ts';

const number = new Intl.NumberFormat('pt-BR');

export const portuguese: Texts = {
  language: 'pt-BR',
  verdicts: {
    'TOTAL-PASSED': 'VÁLIDA',
    'TOTAL-FAILED': 'INVÁLIDA',
    INDETERMINATE: 'INDETERMINADA',
  },
  timestampVerdicts: { 'TOTAL-PASSED': 'VÁLIDO', 'TOTAL-FAILED': 'INVÁLIDO', INDETERMINATE: 'INDETERMINADO' },
  reasons: {
    BYTE_RANGE_INVALID: 'a assinatura não diz, de forma válida, quais bytes do arquivo ela cobre',
    CONTENTS_INVALID: 'o conteúdo da assinatura está vazio ou ilegível',
    CONTENTS_NOT_IN_GAP: 'há trechos não assinados dentro da área assinada',
    RANGE_NOT_A_REVISION: 'a assinatura não cobre uma versão completa do documento',
    RANGES_OVERLAP: 'duas assinaturas do arquivo se sobrepõem',
    SUBFILTER_UNSUPPORTED: 'o formato da assinatura é antigo ou desconhecido e não pode ser conferido',
    SIGNATURE_DICTIONARY_AMBIGUOUS: 'os dados da assinatura podem ser lidos de duas formas diferentes',
    CHANGED_AFTER_SIGNATURE: 'o documento foi alterado depois desta assinatura',
    LATER_CHANGES_UNREADABLE: 'não foi possível conferir o que mudou depois desta assinatura',
    BOX_ADDED_AFTER_CERTIFICATION: 'uma caixa visível foi acrescentada depois que o documento foi certificado',
    BOX_OVER_FIELD: 'uma caixa acrescentada depois cobre um campo já preenchido',
    CMS_MALFORMED: 'a assinatura está malformada',
    NOT_ONE_SIGNER: 'a assinatura não tem exatamente um signatário',
    CONTENT_ATTACHED: 'a assinatura traz outro conteúdo dentro dela',
    NO_SIGNED_ATTRIBUTES: 'a assinatura não protege os próprios dados',
    CONTENT_TYPE_MISMATCH: 'a assinatura fala de outro tipo de conteúdo',
    DIGEST_MISMATCH: 'o conteúdo assinado foi alterado: não confere com a assinatura',
    SIGNATURE_INVALID: 'a assinatura não foi feita com a chave deste certificado',
    ALGORITHM_UNSUPPORTED: 'o algoritmo não é conhecido aqui',
    ALGORITHMS_DISAGREE: 'os algoritmos declarados se contradizem',
    ALGORITHM_WEAK: 'o algoritmo já não é seguro',
    SIGNING_CERTIFICATE_NOT_FOUND: 'o certificado de quem assinou não está no arquivo',
    SIGNING_CERTIFICATE_UNPROTECTED: 'a assinatura não protege o certificado de quem assinou',
    SIGNING_CERTIFICATE_MISMATCH: 'o certificado do arquivo não é o que a assinatura declara',
    CHAIN_INCOMPLETE: 'falta o certificado de uma autoridade intermediária (--chain, --icp-brasil)',
    CHAIN_UNTRUSTED: 'o certificado não vem de uma autoridade em que você disse confiar (--icp-brasil, --gov-br, --trust)',
    CHAIN_CONSTRAINTS: 'um certificado da cadeia não podia ser usado deste modo',
    KEY_USAGE: 'o certificado não serve para assinar documentos',
    CERTIFICATE_EXPIRED: 'o certificado venceu e nada prova que a assinatura foi feita antes',
    CERTIFICATE_NOT_YET_VALID: 'a assinatura foi feita antes de o certificado começar a valer',
    CERTIFICATE_REVOKED: 'o certificado foi revogado e nada prova que a assinatura foi feita antes',
    AUTHORITY_REVOKED: 'o certificado de uma autoridade da cadeia foi revogado',
    REVOCATION_UNKNOWN: 'falta a prova de que o certificado não estava revogado (--crl, --ocsp)',
    TIMESTAMP_IMPRINT_MISMATCH: 'o carimbo do tempo é de outro conteúdo',
    TIMESTAMP_PURPOSE: 'o certificado do carimbo do tempo não serve para isso',
    POLICY_UNKNOWN: 'a política de assinatura não pôde ser lida',
    POLICY_HASH_MISMATCH: 'a política de assinatura não é a publicada pelo ITI',
    POLICY_ATTRIBUTE_FORBIDDEN: 'a assinatura traz um dado que a política proíbe',
    POLICY_TIMESTAMP_MISSING: 'a política exige um carimbo do tempo, e a assinatura não tem',
    SIGNED_AFTER_EXPIRY: 'está provado que a assinatura foi feita depois de o certificado vencer',
    SIGNED_AFTER_REVOCATION: 'está provado que a assinatura foi feita depois de o certificado ser revogado',
    CERTIFICATE_SUSPENDED: 'um certificado está suspenso pela autoridade que o emitiu',
    REVOCATION_UNPROVEN: 'não está provado que a informação sobre revogação é anterior ao fim do certificado de quem a deu',
    TIMESTAMP_ORDER: 'os carimbos do tempo se contradizem: suas horas não seguem a ordem em que foram feitos',
    POLICY_PERIOD: 'a política de assinatura não valia quando a assinatura foi feita',
    POLICY_ALGORITHM: 'a política de assinatura não permite este algoritmo ou este tamanho de chave',
    POLICY_ATTRIBUTE_MISSING: 'falta na assinatura um dado que a política exige',
    POLICY_ENTRY_FORBIDDEN: 'os dados da assinatura no PDF trazem uma entrada que a política proíbe',
    POLICY_ROOT: 'o certificado não pertence a uma cadeia da ICP-Brasil que a política aceita',
    POLICY_STORE_INCOMPLETE: 'faltam no arquivo os dados de validação que a política exige',
    POLICY_ARCHIVE_MISSING: 'falta o carimbo do tempo do documento sobre os dados de validação, que a política exige',
    POLICY_ARTIFACTS_MISSING: 'falta no arquivo a própria política ou a lista de políticas aprovadas, que ela exige guardar',
  },
  notes: {
    CMS_NOT_DER: 'a assinatura está em BER, e não em DER como o PAdES pede: o nível vale só na forma',
    ROOM_NOT_ZERO: 'o espaço que sobrou atrás da assinatura não está vazio; ninguém o assina e ninguém o vê',
    LEVEL_FORM_ONLY: 'o nível diz só da forma: nenhuma cadeia chegou a uma autoridade de confiança',
  },
  changeKinds: {
    'validation-data': 'dados de validação guardados no arquivo',
    'document-timestamp': 'carimbo do tempo acrescentado',
    metadata: 'metadados do arquivo atualizados',
    'structure-tree': 'estrutura de leitura (acessibilidade) alterada',
    'field-filled': 'campo preenchido',
    'field-signed': 'campo assinado',
    'signature-field-added': 'campo de assinatura acrescentado',
    'box-over-field': 'caixa posta sobre um campo preenchido',
    'annotation-added': 'anotação acrescentada',
    'annotation-changed': 'anotação alterada',
    'annotation-removed': 'anotação removida',
    'field-added': 'campo de formulário acrescentado',
    'field-removed': 'campo de formulário removido',
    'field-altered': 'campo de formulário alterado',
    'appearance-replaced': 'aparência de um campo trocada',
    'page-content': 'conteúdo de uma página alterado',
    'page-tree': 'páginas acrescentadas, removidas ou trocadas de lugar',
    catalog: 'catálogo do documento alterado',
    trailer: 'cabeçalho de referências (trailer) alterado',
    'cross-reference': 'tabela de referências incoerente',
    'hidden-object-revealed': 'um conteúdo que estava escondido passou a aparecer',
    'ambiguous-object': 'um objeto que leitores diferentes leem de formas diferentes',
    'data-after-end': 'bytes soltos depois do fim do arquivo',
    object: 'outro objeto do arquivo alterado',
  },
  refusals: {
    NOT_A_PDF: 'o arquivo não é um PDF',
    DAMAGED: 'o PDF está danificado',
    ENCRYPTED: 'o PDF é protegido por senha ou criptografado; salve uma cópia sem proteção',
    NO_PAGES: 'o PDF não tem páginas',
    XFA_ONLY: 'o PDF é um formulário dinâmico (XFA); imprima-o em PDF e use a cópia',
    FORM_NOT_DRAWABLE:
      'o PDF pede que cada programa desenhe seus campos, e um deles não pode ser desenhado; imprima-o em PDF e use a cópia',
    OWNER_FORBIDS: 'o autor do PDF não permite preenchê-lo nem assiná-lo; peça uma cópia sem essa proteção',
    TOO_COMPLEX: 'o PDF é complexo demais para ser lido com segurança',
    NOT_VERIFIABLE:
      'assinado, o PDF não passaria na verificação: sua estrutura pode ser lida de mais de uma forma; imprima-o em PDF e use a cópia',
    CERTIFIED_NO_CHANGES: 'o autor certificou o documento e não permite nenhuma mudança, nem outra assinatura',
    FIELD_LOCKED: 'uma assinatura anterior travou este campo',
    CHANGE_NOT_PERMITTED: 'a mudança invalidaria uma assinatura que já está no arquivo',
    FIELD_EXISTS: 'já existe um campo com este nome',
    FIELD_NOT_FOUND: 'não existe um campo com este nome',
    FIELD_ALREADY_SIGNED: 'este campo já foi assinado',
    FIELD_TYPE_MISMATCH: 'o campo é de outro tipo',
    PAGE_NOT_FOUND: 'o documento não tem esta página',
    INVALID_PLAN: 'o pedido não pode ser cumprido como foi feito',
    SIGNATURE_MISMATCH: 'a assinatura não confere com o certificado',
    RESERVE_TOO_SMALL: 'a assinatura não coube no espaço reservado',
    UNSUPPORTED_ALGORITHM: 'a chave ou o algoritmo não é aceito',
    TIMESTAMP_UNAVAILABLE: 'a autoridade de carimbo do tempo não respondeu',
    TIMESTAMP_REFUSED: 'a autoridade de carimbo do tempo recusou o pedido',
    TIMESTAMP_INVALID: 'a resposta da autoridade de carimbo do tempo não é válida',
    CERTIFICATE_INVALID: 'um certificado não pôde ser lido ou não é dos esperados',
    CMS_INVALID: 'uma assinatura não pôde ser lida',
    REVOCATION_UNAVAILABLE: 'faltam dados de revogação',
    POLICY_INVALID: 'o arquivo da política não é válido',
    P12_WRONG_PASSWORD: 'a senha do certificado está errada',
    P12_DAMAGED: 'o arquivo do certificado está danificado ou é de outro tipo',
    P12_UNSUPPORTED: 'o arquivo do certificado usa uma proteção ou chave que não é aceita',
    P12_NO_KEY: 'o arquivo não tem a chave privada com o seu certificado',
    IMAGE_UNSUPPORTED: 'a imagem não é PNG nem JPEG aceito',
    IMAGE_DAMAGED: 'a imagem está danificada',
    TEXT_NOT_ENCODABLE: 'o texto tem letras que a fonte não tem',
    FONT_UNSUPPORTED: 'a fonte não é aceita',
  },
  certifications: {
    1: 'nenhuma mudança é permitida',
    2: 'só se pode preencher e assinar',
    3: 'só se pode preencher, assinar e anotar',
  },
  commands: {
    sign: {
      summary: 'assina um PDF com um arquivo de certificado',
      usage: `Uso: lavra-pades sign <arquivo.pdf> --out <novo.pdf> --p12 <certificado.pfx> [opções] [--json]

Assina acrescentando: os bytes do arquivo ficam como estão. O arquivo novo não pode existir.
  --p12 <arquivo>            certificado e chave (PKCS #12)
  --password-file <arquivo>  senha: a primeira linha do arquivo; "-" lê da entrada padrão.
                             Sem isso, a variável LAVRA_P12_PASSWORD
  --chain <arquivo>          certificados intermediários, PEM ou DER; pode repetir
  --policy <política>        ICP-Brasil: AD-RB (1.3), AD-RT (1.3), AD-RC (1.4), AD-RA (1.4)
  --tsa <endereço>           carimbo do tempo na assinatura (nível B-T)
  --digest <resumo>          sha256, sha384, sha512 (padrão: conforme a chave)
  --field <nome>             campo vazio que existe, ou o nome do novo (padrão: o primeiro SignatureN livre)
  --page <n> --rect x,y,l,a  campo novo visível, em pontos a partir do canto inferior esquerdo
  --text <texto> --image <arquivo>   o que o campo mostra
  --reason --location --name --contact <texto>   entradas do dicionário (com política, sem motivo)`,
    },
    extend: {
      summary: 'leva as assinaturas de um PDF a B-T, B-LT ou B-LTA',
      usage: `Uso: lavra-pades extend <assinado.pdf> --out <novo.pdf> --level <nível> [opções] [--json]

Leva as assinaturas do arquivo a um nível mais alto, acrescentando. O arquivo novo não pode existir.
  --level <nível>         B-T (carimbo do tempo do documento), B-LT (material de validação), B-LTA (os dois)
  --tsa <endereço>        autoridade de carimbo do tempo: B-T e B-LTA
  --crl <arquivo>         lista de certificados revogados, PEM ou DER; pode repetir
  --ocsp <arquivo>        resposta OCSP, DER; pode repetir
  --certificate <arquivo> certificados que faltam no arquivo, PEM ou DER; pode repetir
  --policy-file <arquivo> --lpa <arquivo> --lpa-signature <arquivo>
                          AD-RA: a política, a lista de políticas aprovadas e a assinatura dela, DER`,
    },
    inspect: {
      summary: 'diz o que um PDF é, o que mudou nele e o que ele ainda permite',
      usage: `Uso: lavra-pades inspect <arquivo.pdf> [--pages <n>] [--json]

Diz o que o arquivo é, quantas revisões tem, o que cada assinatura cobre, o que mudou depois dela e o que ainda é permitido.
Não confere assinaturas: para isso, verify. Termina com 0 quando pode ser assinado, com 1 quando não.
  --pages <n>  de quantas páginas dar a geometria (padrão: 1)`,
    },
    verify: {
      summary: 'confere as assinaturas e carimbos do tempo de um PDF',
      usage: `Uso: lavra-pades verify <arquivo.pdf> [--icp-brasil <acs.pem>] [--gov-br <acs.pem>] [--trust <raiz.pem>] … [--json]

Confere cada assinatura e carimbo do tempo (EN 319 102-1), sem rede: o que faltou conferir é dito.
Termina com 0 quando todas são válidas, com 6 quando alguma ficou indeterminada, com 1 quando alguma é inválida ou
não há assinatura.
  --icp-brasil <acs.pem>     certificados das ACs da ICP-Brasil; só as raízes v5, v12 e v2 valem como âncora
  --gov-br <acs.pem>         certificados da cadeia gov.br
  --trust <raiz.pem>         outra raiz em que você confia (pode repetir)
  --chain <intermediaria>    certificado intermediário que falta no arquivo (pode repetir)
  --crl <lista>              lista de certificados revogados, DER ou PEM (pode repetir)
  --ocsp <resposta>          resposta OCSP guardada em arquivo, DER (pode repetir)
  --at <data>                conferir como se fosse nesse instante (ISO 8601; padrão: agora)`,
    },
  },
  program: {
    overview: (list) => `Uso: lavra-pades <comando> [opções]\n\n${list}\n\n  lavra-pades <comando> --help\n`,
    unknown: (name) => `Comando desconhecido: ${name}`,
    refused: (reason, message) => `Recusado: ${reason} [${message}]`,
    internal: (message) => `Erro interno: ${message}`,
  },
  faults: {
    missing: (option) => `falta --${option}`,
    choose: (option, allowed) => `--${option}: use ${allowed.join(', ')}`,
    oneFile: 'indique um arquivo PDF',
    exists: (path) => `${path} já existe`,
    neither: (path) => `${path}: nem PEM nem DER`,
    notCertificate: 'não é um certificado',
    notRevocationList: 'não é uma lista de certificados revogados',
    notOcsp: 'não é uma resposta OCSP',
    password: 'falta a senha: --password-file ou LAVRA_P12_PASSWORD',
    rect: '--rect: x,y,largura,altura',
    page: '--page: um número a partir de 1',
    tsaAddress: '--tsa: um endereço http ou https',
    tsaMissing: (level) => `--level ${level}: falta --tsa`,
    proofsMissing: (level) => `--level ${level}: falta --crl ou --ocsp`,
    artifacts: 'AD-RA: --policy-file, --lpa e --lpa-signature',
    at: '--at: use uma data ISO 8601, como 2026-11-21T10:00:00Z',
    timestamp: (reason) => `carimbo do tempo: ${reason}`,
  },
  sign: {
    done: ({ field, level, policy, out }) => `Assinado no campo ${field}, nível ${level}${policy ? `, política ${policy}` : ''}: ${out}`,
  },
  extend: { done: (level, out) => `Estendido a ${level}: ${out}` },
  inspect: {
    permits: {
      pages: 'acrescentar páginas',
      textFields: 'criar campos de texto',
      visibleSignatureFields: 'criar campos visíveis de assinatura',
      signatures: 'assinar',
    },
    revisions: (count) => `${number.format(count)} ${count === 1 ? 'revisão' : 'revisões'}`,
    rebuilt: 'referências reconstruídas',
    pages: (count) => `${number.format(count)} ${count === 1 ? 'página' : 'páginas'}`,
    bytes: (count) => `${number.format(count)} ${count === 1 ? 'byte' : 'bytes'}`,
    signable: 'Pode ser assinado',
    unsignable: (reason) => `Não pode ser assinado: ${reason}`,
    certified: (what) => `Certificado pelo autor: ${what}`,
    allowed: (list) => `Ainda se pode: ${list}`,
    empty: (field) => `Campo ${field}: vazio`,
    coverUnknown: ', não se sabe o que cobre',
    coversAll: ', cobre o arquivo todo',
    coversFirst: (count) => `, cobre os primeiros ${number.format(count)} bytes`,
    field: (name, isTimestamp) => `Campo ${name}: ${isTimestamp ? 'carimbo do tempo' : 'assinado'}`,
  },
  report: {
    nothing: 'Não há assinatura neste arquivo',
    timestampsOnlyResult: 'não há assinatura, só carimbo do tempo',
    timestampsOnly: 'Este arquivo não tem assinatura, só carimbo do tempo.',
    signature: (at, total) => `Assinatura ${at} de ${total}`,
    timestamp: (at, total) => `Carimbo do tempo ${at} de ${total}`,
    result: (what) => `Resultado: ${what}`,
    somebody: 'pessoa desconhecida',
    allRight: (names) => `Tudo certo: o documento é o que foi assinado por ${names}.`,
    changed: 'Não confie neste arquivo: o que ele mostra mudou depois de assinado.',
    failed: 'Não confie neste arquivo: há nele assinatura ou carimbo do tempo que não vale.',
    doubtful: 'Não dá para afirmar: nada aqui é inválido, mas falta o que prove que está tudo certo.',
    passedOf: (passed, total) => `${passed} de ${total} assinaturas ${passed === 1 ? 'é válida' : 'são válidas'}`,
    provenAt: (time) => `${time}, provada por carimbo do tempo`,
    claimedAt: (time) => `${time}, só declarada por quem assinou`,
    unknownSigner: 'signatário desconhecido',
    noAuthority: 'nenhuma em que você disse confiar',
    none: 'nenhuma',
    unknownAuthority: 'desconhecida',
    by: (trust) => `por ${trust}`,
    unknownTime: 'desconhecida',
    nameless: 'sem nome',
    noLevel: (subFilter) => `${subFilter}, sem nível PAdES`,
    formOnly: (level) => `${level} só na forma`,
    coversAll: ' (cobre o arquivo todo)',
    certificateType: (type) => `certificado ${type}`,
    forbidden: 'NÃO PERMITIDO',
    times: (count) => ` (${count} vezes)`,
    noTrust: 'Nenhuma autoridade de confiança foi indicada: use --icp-brasil, --gov-br ou --trust',
    labels: {
      signedBy: 'Assinada por',
      authority: 'Autoridade',
      date: 'Data',
      kind: 'Tipo',
      field: 'Campo',
      note: 'Nota',
      reason: 'Motivo',
      policy: 'Política',
      since: 'Depois dela',
    },
  },
};
