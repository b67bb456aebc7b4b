import { X509Certificate, verify } from 'node:crypto';
import { holderOf, parseCertificate, signingKeyOf } from '@lavra/pades';
import type { Certificate, DigestName, SigningKey } from '@lavra/pades';
import type { PinState } from './pkcs11-messages.ts';

/** Why a key did not sign. What can be tried again: all but PIN_LOCKED. */
export type KeyFault = 'PIN_WRONG' | 'PIN_LOCKED' | 'TOKEN_REMOVED' | 'KEY_FAILED' | 'CANCELLED';

export class KeyError extends Error {
  readonly fault: KeyFault;
  readonly pin: PinState;
  constructor(fault: KeyFault, detail: string = fault, pin: PinState = 'fine') {
    super(detail);
    this.fault = fault;
    this.pin = pin;
  }
}

export interface Message {
  readonly digest: DigestName;
  readonly bytes: Uint8Array;
}

/** A key with its certificate, wherever it lives. */
export interface KeyAtHand {
  readonly certificate: Uint8Array;
  /** Issuers as far as they are known, DER, in any order. */
  readonly chain: readonly Uint8Array[];
  /** What is asked for at each signature. A file has been opened with its password already. */
  readonly asks: 'pin' | 'pin-pad' | 'nothing';
  readonly pin: PinState;
  /** Which token, where wrong PINs are counted; null for a file, whose password opened it. */
  readonly token: string | null;
  /** PKCS #1 v1.5, or ECDSA as DER. Throws KeyError. */
  sign(messages: readonly Message[], pin: string): Promise<Uint8Array[]>;
  /** Overwrites what is secret. */
  forget(): void;
}

/** Why a certificate is shown and cannot be chosen. */
export type Hindrance = 'expired' | 'not-yet' | 'key';

/** What the window says of a certificate. */
export interface CertificateCard {
  readonly name: string;
  /** Digits in the middle only: enough to recognise oneself, useless to whom looks over the shoulder. */
  readonly maskedCpf: string | null;
  readonly cnpj: string | null;
  readonly issuer: string;
  readonly notAfter: Date;
  readonly hindrance: Hindrance | null;
}

/** Null for an authority's certificate and for what cannot be read. */
export function cardOf(der: Uint8Array, now: number): CertificateCard | null {
  const certificate = read(der);
  if (certificate === null || certificate.isAuthority) return null;
  const holder = holderOf(certificate);
  return {
    name: holder.name,
    maskedCpf: holder.cpf === null ? null : `***.${holder.cpf.slice(3, 6)}.${holder.cpf.slice(6, 9)}-**`,
    cnpj: holder.cnpj,
    issuer: /CN=([^\n]+)/.exec(new X509Certificate(der).issuer)?.[1] ?? '',
    notAfter: certificate.notAfter,
    hindrance: hindranceOf(certificate, now),
  };
}

export function isAuthority(der: Uint8Array): boolean {
  return read(der)?.isAuthority ?? false;
}

/** The key's kind, where this program signs with it; else null. */
export function keyKindOf(der: Uint8Array): SigningKey['kind'] | null {
  try {
    return signingKeyOf(der).kind;
  } catch {
    return null;
  }
}

function read(der: Uint8Array): Certificate | null {
  try {
    return parseCertificate(der);
  } catch {
    return null;
  }
}

function hindranceOf(certificate: Certificate, now: number): Hindrance | null {
  if (certificate.notAfter.getTime() < now) return 'expired';
  if (certificate.notBefore.getTime() > now) return 'not-yet';
  return keyKindOf(certificate.der) === null ? 'key' : null;
}

/** Whether the value is the certificate's signature over the message: what does not hold is never handed out. */
export function holds(certificate: Uint8Array, { digest, bytes }: Message, value: Uint8Array): boolean {
  const { publicKey } = new X509Certificate(certificate);
  return verify(publicKey.asymmetricKeyType === 'ed25519' ? null : digest, bytes, publicKey, value);
}
