#!/usr/bin/env node
/**
 * `lavra-pades`: signs, extends, inspects and verifies PDF files on this computer. What it prints is for people, or one line of
 * JSON with --json; exit codes are in `command.ts`. Passwords come from a file, the environment or standard input, never
 * from the command line, which every process can read.
 */
import { text } from 'node:stream/consumers';
import { run } from './run.ts';

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  readInput: () => text(process.stdin),
  now: () => new Date(),
  out: (said) => void process.stdout.write(said),
  error: (said) => void process.stderr.write(said),
});
