import { z } from 'zod';

// zod compiles object schemas with `new Function` where it may and probes for that when a schema is made. The page's
// content security policy forbids it and reports the probe, so it has to be off before the first schema: import this
// file before anything that imports shared/.
z.config({ jitless: true });
