/** Asks an address so many times a second for so many seconds, over 200 connections at most, and prints how many answers came. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', rate = '2000', seconds = '6'] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 200 });
/** Asked and not answered: more would only wait in this process. */
const MOST_OPEN = 1000;
let answers = 0;
let open = 0;

function ask(): void {
  open += 1;
  const done = () => (open -= 1);
  get(url, { agent }, (answer) => {
    answer.resume().once('end', () => {
      answers += 1;
      done();
    });
  }).once('error', done);
}

const end = performance.now() + Number(seconds) * 1000;
for (let due = performance.now(); performance.now() < end; await sleep(5)) {
  for (; due < performance.now(); due += 1000 / Number(rate)) if (open < MOST_OPEN) ask();
}
process.stdout.write(String(answers), () => process.exit(0));
