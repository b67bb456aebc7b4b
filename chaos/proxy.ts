import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const PROGRAM = '/usr/sbin/nginx';

/** Debian's nginx in front of several nodes; each answer says in `X-Served-By` who gave it. */
export interface Proxy {
  url: string;
  /** From now on to these alone; answers when nothing that came before is under way any more. */
  sendTo(ports: readonly number[]): Promise<void>;
  stop(): Promise<void>;
}

export async function startProxy(directory: string, port: number, ports: readonly number[]): Promise<Proxy> {
  const home = join(directory, 'nginx');
  const settings = join(home, 'nginx.conf');
  mkdirSync(home, { mode: 0o711 });
  const write = (to: readonly number[]) => writeFileSync(settings, settingsOf(home, port, to));
  write(ports);
  const nginx = spawn(PROGRAM, ['-c', settings, '-p', home, '-e', join(home, 'error.log')], { stdio: 'ignore' });
  const end = () => void nginx.kill('SIGTERM');
  process.once('exit', end);
  const workers = () => workersOf(nginx);
  while (workers().length === 0) await sleep(50);
  return {
    url: `http://127.0.0.1:${port}`,
    async sendTo(to) {
      const before = workers();
      write(to);
      nginx.kill('SIGHUP');
      // The old ones go when their last answer has been given.
      while (workers().length === 0 || workers().some((id) => before.includes(id))) await sleep(50);
    },
    async stop() {
      process.off('exit', end);
      const ended = new Promise((resolve) => nginx.once('exit', resolve));
      end();
      await ended;
    },
  };
}

function workersOf({ pid, exitCode }: ChildProcess): string[] {
  if (exitCode !== null) throw new Error(`nginx ended with ${exitCode}`);
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
}

/** As plain as it can be: what was sent to a node is not sent to another, but for what may be asked twice. */
const settingsOf = (home: string, port: number, ports: readonly number[]) => `
${process.getuid?.() === 0 ? `user ${userInfo().username};` : ''}
daemon off;
worker_processes 1;
pid ${home}/pid;
events { worker_connections 1000; }
http {
  access_log off;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/answers;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  keepalive_timeout 0;
  upstream lavra { ${ports.map((one) => `server 127.0.0.1:${one} fail_timeout=2s;`).join(' ')} }
  server {
    listen 127.0.0.1:${port};
    client_max_body_size 110m;
    location / {
      proxy_pass http://lavra;
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $http_x_forwarded_for;
      proxy_read_timeout 300s;
      add_header X-Served-By $upstream_addr always;
    }
  }
}
`;
