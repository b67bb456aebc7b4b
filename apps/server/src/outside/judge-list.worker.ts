import { type FetchedProof, judgeFetchedList, judgeIssuersList, parseCertificate } from '@lavra/pades';

/** A fetched list, and the certificate that it is asked about with its issuer; DER each. */
export interface ListToJudge {
  list: Uint8Array;
  certificate: Uint8Array;
  issuer: Uint8Array;
  at: Date;
}

export function judgeList({ list, certificate, issuer, at }: ListToJudge): Promise<FetchedProof | null> {
  return judgeFetchedList(list, parseCertificate(certificate), parseCertificate(issuer), at);
}

export function judgeListOf({ list, issuer, at }: Omit<ListToJudge, 'certificate'>): ReturnType<typeof judgeIssuersList> {
  return judgeIssuersList(list, parseCertificate(issuer), at);
}
