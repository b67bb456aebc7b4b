import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** Two hundred modules, which a start does without: imported where certificates are read or made, with `import()`. */
x509.cryptoProvider.set(webcrypto);

export { x509 };
