import { describeHttpFetch } from '../../../support/suites/http-fetch.ts';
import { createScriptedService } from '../setup/scripted-server.ts';

describeHttpFetch('a scripted service in memory', createScriptedService);
