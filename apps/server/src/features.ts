import { accountRoutes } from './features/accounts/accounts.routes.ts';
import type { Routes } from './http/app.ts';
import type { Job } from './jobs/queue.ts';
import { sendMailJob } from './mail/send-mail.job.ts';

/** Every feature's routes. */
export const features: readonly Routes[] = [accountRoutes];

/** Every kind of job that this installation runs. */
export const jobs: readonly Job<never>[] = [sendMailJob];
