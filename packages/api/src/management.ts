import * as z from 'zod/mini';
import { defineCall, type Reply } from './call.ts';
import { listOf } from './list-of.ts';

/** All calls of this file are an administrator's; the three of health and the one of Prometheus, which others than browsers read, are bound beside them. */
const access = ['ROLE_ADMIN'] as const;

export const healthStatus = z.enum(['UP', 'DEGRADED', 'DOWN', 'UNKNOWN']);
export type HealthStatusName = z.infer<typeof healthStatus>;

const instant = z.string();

/** The program that answers: of several, whichever got the request. */
const node = z.object({
  name: z.string(),
  version: z.string(),
  runtime: z.string(),
  startedAt: instant,
  profile: z.string(),
  services: z.array(z.string()),
});

/**
 * What is slow or stuck. `name`: of a job, a phase, an address or a lane; `count`: how many; `ms`: since when the oldest waits, or how
 * long one takes in the mean.
 */
export const attentionKinds = [
  'jobsWait',
  'jobsGivenUp',
  'processesStuck',
  'slowCall',
  'slowJob',
  'databaseCrowded',
  'workersCrowded',
  'programLate',
] as const;
const attention = z.object({ kind: z.enum(attentionKinds), name: z.string(), count: z.number(), ms: z.number() });
export type Attention = z.infer<typeof attention>;

/** As `management/health/readiness`, for the page: an answer even where the installation is down, and what is needed marked. */
export const getInstallationHealth = defineCall({
  method: 'GET',
  path: 'api/admin/health',
  access,
  reply: z.object({
    status: z.enum(['UP', 'DOWN']),
    components: z.array(z.object({ name: z.string(), needed: z.boolean(), status: healthStatus, reason: z.nullable(z.string()) })),
    /** Empty: nothing is slow or stuck. Of all nodes; what is slow at another than the one that answers is known after a minute. */
    attention: z.array(attention),
    node,
  }),
});
export type InstallationHealth = Reply<typeof getInstallationHealth>;

/** What is to be set up, in this order; `open`: something does not work without it, `advised`: it works, and better with it. */
export const setupSteps = ['address', 'mail', 'administrator', 'secondFactor', 'icpBrasil', 'timestamps'] as const;
export type SetupStepName = (typeof setupSteps)[number];

/** How far the installation is set up, from what is so at this moment. In single sign-on mode the provider has people and factors. */
export const getSetup = defineCall({
  method: 'GET',
  path: 'api/admin/setup',
  access,
  reply: z.array(z.object({ name: z.enum(setupSteps), state: z.enum(['done', 'advised', 'open']) })),
});
export type Setup = Reply<typeof getSetup>;

const timing = z.object({ count: z.number(), max: z.number(), mean: z.number() });

/** The specification's metrics in its generator's form: sizes in bytes, times in milliseconds; `samples` are the last hour's, for charts. */
export const getMetrics = defineCall({
  method: 'GET',
  path: 'management/jhimetrics',
  access,
  reply: z.object({
    jvm: z.record(z.string(), z.object({ used: z.number(), committed: z.number(), max: z.number() })),
    'http.server.requests': z.object({ all: z.object({ count: z.number() }), percode: z.record(z.string(), timing) }),
    services: z.record(z.string(), z.record(z.string(), timing)),
    cache: z.record(z.string(), z.unknown()),
    databases: z.record(z.string(), z.object({ value: z.number() })),
    garbageCollector: z.record(z.string(), z.object({ count: z.number(), mean: z.number() })),
    processMetrics: z.record(z.string(), z.number()),
    jobs: z.record(z.string(), z.object({ done: timing, failed: z.number() })),
    samples: z.object({
      at: z.array(z.number()),
      rss: z.array(z.number()),
      heapUsed: z.array(z.number()),
      cpu: z.array(z.number()),
      eventLoop: z.array(z.number()),
      requests: z.array(z.number()),
      faults: z.array(z.number()),
    }),
    node,
  }),
});
export type Metrics = Reply<typeof getMetrics>;

const frame = z.object({ methodName: z.string(), fileName: z.nullable(z.string()), lineNumber: z.number() });

/** What this program does now: its own thread, its worker processes, what it waits for. No environment, no command line, no addresses. */
export const getThreadDump = defineCall({
  method: 'GET',
  path: 'management/threaddump',
  access,
  reply: z.object({
    threads: z.array(
      z.object({
        threadName: z.string(),
        threadId: z.number(),
        threadState: z.enum(['RUNNABLE', 'WAITING']),
        /** What a worker process is at, and for how long. */
        task: z.nullable(z.string()),
        seconds: z.nullable(z.number()),
        stackTrace: z.array(frame),
      }),
    ),
    lanes: z.array(z.object({ name: z.string(), processes: z.number(), working: z.number(), most: z.number(), waiting: z.number() })),
    eventLoop: z.object({ utilization: z.number(), meanMs: z.number(), p99Ms: z.number(), maxMs: z.number() }),
    /** Open handles by kind: sockets, timers, child processes. */
    handles: z.record(z.string(), z.number()),
    heap: z.object({
      used: z.number(),
      committed: z.number(),
      limit: z.number(),
      external: z.number(),
      arrayBuffers: z.number(),
      rss: z.number(),
      spaces: z.array(z.object({ name: z.string(), used: z.number(), committed: z.number(), available: z.number() })),
    }),
    node,
  }),
});
export type ThreadDump = Reply<typeof getThreadDump>;

export const logLevels = ['OFF', 'FATAL', 'ERROR', 'WARN', 'INFO', 'DEBUG', 'TRACE'] as const;
export const logLevel = z.enum(logLevels);
export type LogLevel = z.infer<typeof logLevel>;

/** The parts of the log and what each speaks at. */
export const getLoggers = defineCall({
  method: 'GET',
  path: 'management/loggers',
  access,
  reply: z.object({
    levels: z.array(logLevel),
    loggers: z.record(z.string(), z.object({ configuredLevel: z.nullable(logLevel), effectiveLevel: logLevel })),
  }),
});
export type Loggers = Reply<typeof getLoggers>;

/** Null: as the start said (ROOT), or as ROOT is. All nodes follow within seconds. */
export const changeLogger = defineCall({
  method: 'POST',
  path: 'management/loggers/:name',
  access,
  params: z.object({ name: z.string() }),
  body: z.object({ configuredLevel: z.nullable(logLevel) }),
  kind: 'empty',
});

const properties = z.record(z.string(), z.unknown());

/** The configuration in force, each property that was declared harmless. */
export const getConfigProps = defineCall({
  method: 'GET',
  path: 'management/configprops',
  access,
  reply: z.object({
    contexts: z.record(z.string(), z.object({ beans: z.record(z.string(), z.object({ prefix: z.string(), properties })) })),
  }),
});
export type ConfigProps = Reply<typeof getConfigProps>;

/** Names that the installation knows, with the values of those that were declared harmless; of all others only that they are set. */
export const getEnvironment = defineCall({
  method: 'GET',
  path: 'management/env',
  access,
  reply: z.object({
    activeProfiles: z.array(z.string()),
    propertySources: z.array(z.object({ name: z.string(), properties: z.record(z.string(), z.object({ value: z.string() })) })),
  }),
});
export type Environment = Reply<typeof getEnvironment>;

/** Whether visits are recorded by a service of strangers: never, here. */
export const clarityEnable = defineCall({ method: 'GET', path: 'api/clarity-enable', access: 'public', reply: z.boolean() });

/** Certificates and lists that the installation stands on; `daysLeft` is negative after the end. */
export const listInstallationCertificates = defineCall({
  method: 'GET',
  path: 'api/admin/certificates',
  access,
  kind: 'list',
  reply: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        use: z.enum(['ownAuthority', 'seal', 'timestamps', 'timestampsClient', 'icpBrasil', 'govBr', 'policies']),
        name: z.string(),
        issuer: z.nullable(z.string()),
        fingerprint: z.nullable(z.string()),
        beginsAt: z.nullable(instant),
        endsAt: instant,
        daysLeft: z.number(),
        state: z.enum(['good', 'soon', 'ended', 'history']),
      }),
    ),
    total: z.number(),
  }),
});
export type InstallationCertificate = Reply<typeof listInstallationCertificates>['items'][number];

/** A mail to the administrator who asks, past the queue; an answer also where it was not taken. */
export const sendTestMail = defineCall({
  method: 'POST',
  path: 'api/admin/test-mail',
  access,
  limits: ['test-mail'],
  reply: z.object({
    isAccepted: z.boolean(),
    to: z.string(),
    server: z.nullable(z.string()),
    reason: z.nullable(z.enum(['notConfigured', 'unreachable', 'timedOut', 'encryption', 'signIn', 'refused'])),
    /** What the server answered, as a number. */
    status: z.nullable(z.number()),
    ms: z.number(),
  }),
});

/** Writes, reads and deletes something small, and tells what the inventory knows. `faults`: files that are missing or changed. */
export const checkStorage = defineCall({
  method: 'POST',
  path: 'api/admin/storage-check',
  access,
  limits: ['storage-check'],
  reply: z.object({
    works: z.boolean(),
    /** A code. */
    reason: z.nullable(z.string()),
    ms: z.number(),
    kind: z.enum(['disk', 's3']),
    files: z.number(),
    bytes: z.number(),
    /** Never compared with what they were. */
    unchecked: z.number(),
    oldestCheck: z.nullable(instant),
    faults: z.array(z.object({ file: z.string(), fault: z.enum(['missing', 'damaged', 'wrongSize']), firstSeen: instant })),
  }),
});
export type StorageCheck = Reply<typeof checkStorage>;

/** Jobs of a kind and state are counted as far as that. */
export const jobsCountedTo = 10_000;

/** Each kind of job, counted to `jobsCountedTo`: what waits, runs and failed for good, as long as the queue keeps it (a week). */
export const listJobKinds = defineCall({
  method: 'GET',
  path: 'api/admin/jobs',
  access,
  kind: 'list',
  reply: z.object({
    items: z.array(
      z.object({
        name: z.string(),
        waiting: z.number(),
        active: z.number(),
        failed: z.number(),
        /** Due for five minutes, and nobody took them. */
        overdue: z.number(),
        lastDoneAt: z.nullable(instant),
      }),
    ),
    total: z.number(),
  }),
});
export type JobKind = Reply<typeof listJobKinds>['items'][number];

/** Jobs whose last try failed, the newest first; `reason` without whatever could be somebody's. */
export const listFailedJobs = defineCall({
  method: 'GET',
  path: 'api/admin/jobs/failed',
  access,
  kind: 'list',
  query: z.object({
    page: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))), // zero-based
    size: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(200))),
  }),
  reply: listOf(
    z.object({
      id: z.string(),
      name: z.string(),
      createdAt: instant,
      failedAt: z.nullable(instant),
      tries: z.number(),
      reason: z.string(),
    }),
  ),
});
export type FailedJob = Reply<typeof listFailedJobs>['items'][number];

/** Has a job that failed for good tried once more. */
export const retryJob = defineCall({
  method: 'POST',
  path: 'api/admin/jobs/:name/:id/retry',
  access,
  params: z.object({ name: z.string(), id: z.string() }),
  kind: 'empty',
});

/** Processes that do not go on by themselves, or have waited too long: why, since when, and whether trying again is of use. */
export const listStuckProcesses = defineCall({
  method: 'GET',
  path: 'api/admin/stuck-processes',
  access,
  kind: 'list',
  reply: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        /** Whose it is; what it is about is theirs alone. */
        owner: z.string(),
        phase: z.enum(['preparation', 'signing', 'finalization']),
        /** A code of docs/errors.md; null: nobody noted one. */
        problem: z.nullable(z.string()),
        problemParams: z.record(z.string(), z.union([z.string(), z.number()])),
        startedAt: z.nullable(instant),
        waitingSince: z.nullable(instant),
        canRetry: z.boolean(),
      }),
    ),
    total: z.number(),
  }),
});
export type StuckProcess = Reply<typeof listStuckProcesses>['items'][number];

/** Has the preparation or the end of a process tried now. */
export const retryStuckProcess = defineCall({
  method: 'POST',
  path: 'api/admin/stuck-processes/:id/retry',
  access,
  params: z.object({ id: z.string() }),
  kind: 'empty',
});
