import type { ProofTexts } from '../../client/proof.ts';
import { englishProof } from '../../client/proof-english.ts';
import type { Language } from '../rules/time-text.ts';
import { portuguese } from './portuguese.ts';

const portugueseProof: ProofTexts = {
  title: 'Comprovante de uma mensagem',
  pipeline: 'Pipeline',
  made: 'Emitido em',
  zone: 'Horários em',
  utc: (time) => `${time} UTC`,
  message: 'A mensagem',
  status: 'Status',
  final: 'Final: nenhum outro relatório é esperado.',
  open: 'Não é final: mais relatórios são esperados.',
  number: 'Número',
  noNumber: 'Nenhum relatório o tem.',
  masked: 'Mascarado, porque foi emitido sem o direito de ver números completos, ou sem pedi-los.',
  sender: 'Remetente',
  noSender: 'Desconhecido: o pipeline não guarda o remetente de uma mensagem.',
  messageId: 'Id da mensagem',
  send: 'Envio',
  source: 'Provedor',
  service: 'Serviço de SMS',
  channel: 'Canal',
  firstReceived: 'Primeiro relatório recebido',
  contract: 'Contrato',
  contractNote:
    'O hash do contrato em uso quando isto foi emitido. Ele diz o que significam as palavras do serviço. Um contrato anterior pode ter lido os relatórios.',
  unknownContract: 'Não foi possível ler o hash dele.',
  reports: (count) =>
    count === 1 ? 'O único relatório' : `Todos os ${count} relatórios, pela hora em que aconteceram`,
  decides: 'Decide o status',
  happened: 'Aconteceu, segundo o serviço',
  received: 'Recebido pelo pipeline',
  after: (duration) => `${duration} depois do evento`,
  before: (duration) =>
    `${duration} antes da hora do evento: o relógio ou o fuso horário do serviço pode estar errado`,
  word: 'Palavra do serviço',
  reason: 'Motivo',
  errorCode: 'Código de erro',
  errorText: 'Texto do serviço',
  origin: 'Origem',
  origins: {
    webhook: 'Enviado pelo serviço ao webhook do pipeline',
    lookup: 'Consultado no serviço',
    import: 'Importado por quem opera',
  },
  part: 'Parte da mensagem',
  notRead: 'Não lido exatamente',
  eventId: 'Id do evento',
  decision: 'Qual relatório decide, e por quê',
  decidedBy: (status, time) => `O relatório “${status}” de ${time} decide o status.`,
  conflict: 'Os relatórios se contradizem: um diz que a mensagem chegou, e outro que não.',
  why: portuguese.decision,
  meaning: (delivered) => `O que “${delivered}” significa neste serviço`,
  words: (words, delivered) => `O contrato lê ${words} do serviço como “${delivered}”.`,
  noWords: (delivered) => `O contrato não tem palavra do serviço que signifique “${delivered}”.`,
  unreadWords: (delivered) =>
    `Não foi possível ler o contrato aqui, então as palavras do serviço que significam “${delivered}” não são conhecidas.`,
  noConfirmation:
    'O contrato não diz quem confirma uma entrega: o telefone ou uma rede no caminho até ele. O serviço pode dizer.',
  limits: 'O que isto não comprova',
  limit: [
    'O texto da mensagem: o pipeline não guarda os textos enviados.',
    'Que uma pessoa leu a mensagem: cada status é o que o serviço informa.',
    'Que o serviço informou a verdade: o pipeline sabe o que recebeu e quando, e não o que houve na rede.',
    'Que este papel não foi alterado: ele não é assinado. Quem pode ver o pipeline pode compará-lo pelo id da mensagem.',
  ],
};

export const proofTexts: Readonly<Record<Language, ProofTexts>> = {
  en: englishProof,
  'pt-BR': portugueseProof,
};
