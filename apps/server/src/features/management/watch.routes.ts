import { DomainError } from '@lavra/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Ctx } from '../../context.ts';
import type { Routes } from '../../http/app.ts';
import { bearerToken, type Caller, callerOf, visitorOf } from '../../http/auth.ts';
import type { HealthReport } from './health.ts';
import { readPrometheus } from './read-prometheus.ts';

/** How a program is, for who watches it: its health and its metrics. Every node answers these, those that only run jobs too. */
export function watchRoutes({ health }: { health: () => Promise<HealthReport> }): Routes {
  return (app, ctx) => {
    let stopping = false;
    app.addHook('preClose', async () => {
      stopping = true;
    });
    const answer = async (reply: FastifyReply, withComponents: boolean) => {
      const { status, components } = await health();
      const told = stopping ? 'DOWN' : status;
      return reply.code(told === 'UP' ? 200 : 503).send({ status: told, ...(withComponents ? { components } : {}) });
    };
    app.get('/management/health', async (request, reply) => {
      const { person } = await callerOrNobody(ctx, request);
      return answer(reply, person?.authorities.includes('ROLE_ADMIN') ?? false);
    });
    app.get('/management/health/readiness', (_request, reply) => answer(reply, true));
    app.get('/management/prometheus', async (request, reply) => {
      const { person } = await callerOf(ctx, request);
      const { type, text } = await readPrometheus(ctx, person ?? visitorOf(request), bearerToken(request));
      return reply.header('cache-control', 'no-store').type(type).send(text);
    });
    app.get('/management/health/liveness', () => ({ status: 'UP' }));
  };
}

/** All that a node answers which only runs jobs. */
export function watchedOnly(facts: { health: () => Promise<HealthReport> }): Routes[] {
  return [
    watchRoutes(facts),
    (app) => {
      app.setNotFoundHandler(() => {
        throw new DomainError('request.notFound');
      });
    },
  ];
}

/** Whoever asks while the database is away is told so, and is nobody. */
function callerOrNobody(ctx: Ctx, request: FastifyRequest): Promise<Pick<Caller, 'person'>> {
  return callerOf(ctx, request).catch(() => ({ person: null }));
}
