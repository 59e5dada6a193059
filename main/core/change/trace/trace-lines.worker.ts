import { serveJob } from '../../worker/serve-job';
import { traceJob } from './trace-job';

serveJob(traceJob);
