import * as api from '@lavra/api';
import type { Routes } from '../../http/app.ts';
import { route } from '../../http/route.ts';
import { checkStorage } from '../stored-files/check-storage.ts';
import { changeLogger } from './change-logger.ts';
import { getConfigProps } from './get-config-props.ts';
import { getEnvironment } from './get-environment.ts';
import { getInstallationHealth, type HealthFacts } from './get-installation-health.ts';
import { getLoggers } from './get-loggers.ts';
import { getMetrics } from './get-metrics.ts';
import { getThreadDump } from './get-thread-dump.ts';
import { getSetup } from './get-setup.ts';
import { listInstallationCertificates } from './list-installation-certificates.ts';
import { listFailedJobs } from './list-failed-jobs.ts';
import { listJobKinds } from './list-job-kinds.ts';
import { listStuckProcesses } from './list-stuck-processes.ts';
import { retryJob } from './retry-job.ts';
import { retryStuckProcess } from './retry-stuck-process.ts';
import { sendTestMail } from './send-test-mail.ts';

/** What administrators look at and do. `facts`: what only the program around it knows. */
export function administrationRoutes(facts: HealthFacts): Routes {
  return (app, ctx) => {
    route(app, ctx, api.getInstallationHealth, (c, { actor }) => getInstallationHealth(c, actor, facts));
    route(app, ctx, api.getSetup, (c, { actor }) => getSetup(c, actor));
    route(app, ctx, api.getMetrics, (c, { actor }) => getMetrics(c, actor));
    route(app, ctx, api.getThreadDump, (c, { actor }) => getThreadDump(c, actor));
    route(app, ctx, api.getLoggers, (c, { actor }) => getLoggers(c, actor));
    route(app, ctx, api.changeLogger, (c, { actor, params, body }) => changeLogger(c, actor, { ...params, ...body }));
    route(app, ctx, api.getConfigProps, (c, { actor }) => getConfigProps(c, actor));
    route(app, ctx, api.getEnvironment, (c, { actor }) => getEnvironment(c, actor));
    route(app, ctx, api.listInstallationCertificates, (c, { actor }) => listInstallationCertificates(c, actor));
    route(app, ctx, api.sendTestMail, (c, { actor }) => sendTestMail(c, actor));
    route(app, ctx, api.checkStorage, (c, { actor }) => checkStorage(c, actor));
    route(app, ctx, api.listJobKinds, (c, { actor }) => listJobKinds(c, actor));
    route(app, ctx, api.listFailedJobs, (c, { actor, query }) => listFailedJobs(c, actor, query));
    route(app, ctx, api.retryJob, (c, { actor, params }) => retryJob(c, actor, params));
    route(app, ctx, api.listStuckProcesses, (c, { actor }) => listStuckProcesses(c, actor));
    route(app, ctx, api.retryStuckProcess, (c, { actor, params }) => retryStuckProcess(c, actor, params));
  };
}
