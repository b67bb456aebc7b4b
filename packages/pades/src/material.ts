/** What validators need beyond the certificates in the file: DER each. */
export interface ValidationMaterial {
  readonly certificates: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
  readonly ocsps: readonly Uint8Array[];
}

/** Where certificates and proofs of revocation come from: files, a cache, the network. */
export interface RevocationSource {
  /**
   * Issuers still missing, CRLs and OCSP responses for these certificates (signers', timestamp authorities', issuers'). May
   * throw, REVOCATION_UNAVAILABLE for instance: `extendPdf` passes it on, `verifyPdf` goes on without.
   */
  material(certificates: readonly Uint8Array[]): Promise<ValidationMaterial>;
}

/**
 * What ICP-Brasil's AD-RA keeps in the file so that its policy can be checked when ITI no longer answers (DOC-ICP-15.03,
 * tables A.19 and A.20). DER each, as published.
 */
export interface PolicyArtifacts {
  /** The policy the signatures refer to. */
  readonly policy: Uint8Array;
  /** ITI's list of approved policies (LPA). */
  readonly approvedPolicies: Uint8Array;
  /** The list's detached signature. */
  readonly approvedPoliciesSignature: Uint8Array;
}
