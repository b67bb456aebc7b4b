export * from './accounts.ts';
export * from './call.ts';
export * from './documents.ts';
export * from './processes.ts';
export * from './signing.ts';
export * from './verification.ts';
