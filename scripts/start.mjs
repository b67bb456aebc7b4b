// `npm start`: all set-up, then the product.
import { buildProgram, buildWeb, handOver, install } from './launch.mjs';

install();
buildWeb();
handOver([buildProgram()]);
