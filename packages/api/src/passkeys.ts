import * as z from 'zod/mini';

/** Base64url as a browser writes it; a kilobyte is more than any identifier or challenge takes. */
const short = z.string().check(z.maxLength(1024));
const long = z.string().check(z.maxLength(16_384));
const transports = z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10)));
const descriptor = z.object({ id: short, type: z.literal('public-key'), transports });
const verification = z.optional(z.enum(['required', 'preferred', 'discouraged']));
const hints = z.optional(z.array(z.string()));

/** `PublicKeyCredentialRequestOptionsJSON` (WebAuthn Level 3 §5.5): what a browser asks a passkey with. */
export const passkeyRequest = z.object({
  challenge: short,
  timeout: z.optional(z.number()),
  rpId: z.optional(z.string()),
  allowCredentials: z.optional(z.array(descriptor)),
  userVerification: verification,
  hints,
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** `PublicKeyCredentialCreationOptionsJSON` (WebAuthn Level 3 §5.4): what a browser makes a passkey with. */
export const passkeyCreation = z.object({
  rp: z.object({ id: z.optional(z.string()), name: z.string() }),
  user: z.object({ id: short, name: z.string(), displayName: z.string() }),
  challenge: short,
  pubKeyCredParams: z.array(z.object({ alg: z.number(), type: z.literal('public-key') })),
  timeout: z.optional(z.number()),
  excludeCredentials: z.optional(z.array(descriptor)),
  authenticatorSelection: z.optional(
    z.object({
      authenticatorAttachment: z.optional(z.enum(['cross-platform', 'platform'])),
      residentKey: z.optional(z.enum(['discouraged', 'preferred', 'required'])),
      requireResidentKey: z.optional(z.boolean()),
      userVerification: verification,
    }),
  ),
  attestation: z.optional(z.enum(['none'])),
  hints,
});
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

const attachment = z.optional(z.nullable(z.enum(['cross-platform', 'platform'])));
/** Outputs of extensions: we ask for none, and look at none. */
const extensionResults = z.optional(z.looseObject({}));

/** `AuthenticationResponseJSON`: what a passkey answered. */
export const passkeyAnswer = z.object({
  id: short,
  rawId: short,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: long,
    authenticatorData: long,
    signature: long,
    userHandle: z.optional(z.nullable(short)),
  }),
  authenticatorAttachment: attachment,
  clientExtensionResults: extensionResults,
});
export type PasskeyAnswer = z.infer<typeof passkeyAnswer>;

/** `RegistrationResponseJSON`: the passkey that was made. */
export const newPasskey = z.object({
  id: short,
  rawId: short,
  type: z.literal('public-key'),
  response: z.object({ clientDataJSON: long, attestationObject: long, transports }),
  authenticatorAttachment: attachment,
  clientExtensionResults: extensionResults,
});
export type NewPasskey = z.infer<typeof newPasskey>;
