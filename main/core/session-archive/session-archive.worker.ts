import { serveJob } from '../worker/serve-job';
import { archiveJob } from './archive-job';

serveJob(archiveJob);
