import { describeHttpFetch } from '../../../../support/suites/http-fetch.ts';
import { createScriptedService } from './scripted-server.ts';

describeHttpFetch('a scripted service in memory', createScriptedService);
