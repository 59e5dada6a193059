import { serveJob } from '../worker/serve-job';
import { searchBackfillJob } from './search-backfill-job';

serveJob(searchBackfillJob);
