import { serveJob } from '../../worker/serve-job';
import { tidyJob } from './tidy-job';

serveJob(tidyJob);
