import { quickAnswer } from './quick-answer';

const argv = process.argv.slice(2);
const answer = quickAnswer(argv);
if (answer === null) await (await import('./process-main')).processMain(argv);
else process.stdout.write(answer);
