/** Appearance template of a visible signature (section 3). Lengths in points. */
export interface SignatureModel {
  name: string;
  width: number;
  height: number;
  imagePosition: 'LEFT' | 'RIGHT' | 'TOP' | 'BOTTOM' | 'BACKGROUND' | 'NONE';
  /** May hold the placeholders below. */
  customText: string;
  textFont: 'HELVETICA' | 'TIMES_ROMAN' | 'COURIER';
  textFontSize: number;
  textPadding: number;
  textAlignment: 'LEFT' | 'RIGHT' | 'CENTER';
}

/** Certificate common name without CPF, the CPF, the signing date. */
export const placeholders = {
  name: '$CERT_CN_WO_CPF$',
  cpf: '$CERT_CPF$',
  date: '$SIGN_DATE$',
} as const;

/** The default of section 9 for electronic signatures: image beside text, Helvetica 6, 150 × 75 pt. */
export const defaultElectronicModel: SignatureModel = {
  name: 'Meu modelo',
  width: 150,
  height: 75,
  imagePosition: 'TOP',
  customText: `Assinado eletronicamente por:\n${placeholders.name}\nCPF: ${placeholders.cpf}\n${placeholders.date}`,
  textFont: 'HELVETICA',
  textFontSize: 6,
  textPadding: 5,
  textAlignment: 'LEFT',
};

/** The default of section 9 for signatures with a certificate: text beside the signer's picture, or alone without one. */
export const defaultDigitalModel: SignatureModel = {
  ...defaultElectronicModel,
  imagePosition: 'LEFT',
  customText: `Assinado digitalmente por:\n${placeholders.name}\nCPF: ${placeholders.cpf}\n${placeholders.date}`,
};

/** Fills the placeholders, in one pass: a name that looks like a placeholder stays a name. A text without them comes back as it is. */
export function fillModelText(text: string, values: { name: string; cpf: string; date: string }): string {
  const known = new Map<string, string>([
    [placeholders.name, values.name],
    [placeholders.cpf, values.cpf],
    [placeholders.date, values.date],
  ]);
  return text.replaceAll(/\$[A-Z_]+\$/g, (found) => known.get(found) ?? found);
}
