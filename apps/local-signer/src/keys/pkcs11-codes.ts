/** The numbers of PKCS #11 2.40 that this program uses, by the names of the standard without their prefix. */
export const CKR = {
  OK: 0,
  SLOT_ID_INVALID: 0x3,
  DEVICE_ERROR: 0x30,
  DEVICE_REMOVED: 0x32,
  FUNCTION_CANCELED: 0x50,
  OBJECT_HANDLE_INVALID: 0x82,
  PIN_INCORRECT: 0xa0,
  PIN_INVALID: 0xa1,
  PIN_LEN_RANGE: 0xa2,
  PIN_EXPIRED: 0xa3,
  PIN_LOCKED: 0xa4,
  SESSION_CLOSED: 0xb0,
  SESSION_HANDLE_INVALID: 0xb3,
  TOKEN_NOT_PRESENT: 0xe0,
  TOKEN_NOT_RECOGNIZED: 0xe1,
  USER_ALREADY_LOGGED_IN: 0x100,
  CRYPTOKI_ALREADY_INITIALIZED: 0x191,
} as const;

export const CKF = {
  PROTECTED_AUTHENTICATION_PATH: 0x100,
  TOKEN_INITIALIZED: 0x400,
  USER_PIN_COUNT_LOW: 0x1_0000,
  USER_PIN_FINAL_TRY: 0x2_0000,
  USER_PIN_LOCKED: 0x4_0000,
  SERIAL_SESSION: 0x4,
} as const;

export const CKO = { CERTIFICATE: 1, PRIVATE_KEY: 3 } as const;
export const CKU = { USER: 1, CONTEXT_SPECIFIC: 2 } as const;

export const CKA = {
  CLASS: 0x0,
  VALUE: 0x11,
  CERTIFICATE_TYPE: 0x80,
  ID: 0x102,
  ALWAYS_AUTHENTICATE: 0x202,
} as const;

export const CKM = {
  RSA_PKCS: 0x1,
  SHA256_RSA_PKCS: 0x40,
  SHA384_RSA_PKCS: 0x41,
  SHA512_RSA_PKCS: 0x42,
  ECDSA: 0x1041,
} as const;

/** Places of the functions in CK_FUNCTION_LIST, counted after its version. */
export const functions = {
  C_Initialize: { at: 0, arguments: ['void *'] },
  C_Finalize: { at: 1, arguments: ['void *'] },
  C_GetSlotList: { at: 4, arguments: ['uchar', 'void *', 'void *'] },
  C_GetTokenInfo: { at: 6, arguments: ['ulong', 'void *'] },
  C_GetMechanismList: { at: 7, arguments: ['ulong', 'void *', 'void *'] },
  C_OpenSession: { at: 12, arguments: ['ulong', 'ulong', 'void *', 'void *', 'void *'] },
  C_CloseSession: { at: 13, arguments: ['ulong'] },
  C_Login: { at: 18, arguments: ['ulong', 'ulong', 'void *', 'ulong'] },
  C_Logout: { at: 19, arguments: ['ulong'] },
  C_GetAttributeValue: { at: 24, arguments: ['ulong', 'ulong', 'void *', 'ulong'] },
  C_FindObjectsInit: { at: 26, arguments: ['ulong', 'void *', 'ulong'] },
  C_FindObjects: { at: 27, arguments: ['ulong', 'void *', 'ulong', 'void *'] },
  C_FindObjectsFinal: { at: 28, arguments: ['ulong'] },
  C_SignInit: { at: 42, arguments: ['ulong', 'void *', 'ulong'] },
  C_Sign: { at: 43, arguments: ['ulong', 'void *', 'ulong', 'void *', 'void *'] },
} as const;
export type FunctionName = keyof typeof functions;
