import { spawn } from 'node:child_process';

const bareServer = `const s = require('node:http').createServer((_, r) => r.end('ok')).listen(0, '127.0.0.1', () => console.log(s.address().port))`;

/** A server that does nothing at all, in a process of its own that ends with ours: what asking it takes is the machine's. Its address. */
export function startBare(): Promise<string> {
  const child = spawn(process.execPath, ['-e', bareServer], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => child.kill());
  return new Promise((resolve) =>
    child.stdout.once('data', (port: Buffer) => {
      // It keeps nobody from ending.
      child.stdout.destroy();
      child.unref();
      resolve(`http://127.0.0.1:${port.toString().trim()}/`);
    }),
  );
}
