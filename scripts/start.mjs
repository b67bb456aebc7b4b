// `npm start`: all set-up, then the product.
import { buildWeb, handOver, install } from './launch.mjs';

install();
buildWeb();
handOver(['apps/server/src/main.ts']);
