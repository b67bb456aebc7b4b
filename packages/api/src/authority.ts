import * as z from 'zod/mini';

export const authority = z.enum(['ROLE_USER', 'ROLE_ADMIN']);
export const langKey = z.enum(['pt-br', 'en', 'es']);
export type LangKey = z.infer<typeof langKey>;
export type Authority = z.infer<typeof authority>;
