export * from './accounts.ts';
export * from './call.ts';
export * from './digital-signing.ts';
export * from './documents.ts';
export * from './local-signer.ts';
export * from './processes.ts';
export * from './signing.ts';
export * from './verification.ts';
