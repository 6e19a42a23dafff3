import { historyId, splitId, withHistoryIds } from '../../contract/events/source-id.ts';
import type { LookupQuestion } from '../../contract/lookups/lookup-request.ts';
import type { ServiceLookups } from './service-lookups-client.ts';

// The lookup function asks one service, and the history has the messages of all sources. Inside it knows messages by the ids of the history.

/** Returns the id in the history of what a person names: an id of the service, or `source/id`. */
export function historyIdOf(source: string, text: string): string {
  const named = splitId(text);
  return historyId(named.source === source ? named : { source, id: text });
}

/** Translates between the ids of the history and those of the service. */
export function lookupsOf(source: string, lookups: ServiceLookups): ServiceLookups {
  return {
    async ask(question, page) {
      const answer = await lookups.ask(asServiceKnows(question), page);
      if (answer.kind === 'error') return answer;
      const { reports, sendIds } = answer.value;
      return {
        ...answer,
        value: {
          ...answer.value,
          reports: reports.map((report) => withHistoryIds(source, report)),
          sendIds: sendIds.map((id) => historyId({ source, id })),
        },
      };
    },
  };
}

function asServiceKnows(question: LookupQuestion): LookupQuestion {
  switch (question.operation) {
    case 'message':
      return { ...question, messageId: splitId(question.messageId).id };
    case 'send':
      return { ...question, sendId: splitId(question.sendId).id };
    case 'list':
      return question;
  }
}
