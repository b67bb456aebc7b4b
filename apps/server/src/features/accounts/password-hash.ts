import { hash, verify } from '@node-rs/argon2';

/** argon2id, 19 MiB, two passes (OWASP's floor). */
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, options);
}

// Of a password nobody has: an unknown e-mail must cost the same time as a wrong password.
const decoy = hash('no account has this password', options);

export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}
