// boardgame.io: the rules as moves and turns, the server as it comes. Its storage is memory.
'use strict';

const { Server, Origins } = require('boardgame.io/server');
const { INVALID_MOVE } = require('boardgame.io/core');
const { claimable, pieceNumber, squareNumber } = require('./quarto');

const seatOf = (playerID) => Number(playerID) + 1;

function give({ G, events }, piece) {
  const number = pieceNumber(piece);
  if (G.phase !== 'give' || !G.left.includes(number)) return INVALID_MOVE;
  G.left = G.left.filter((other) => other !== number);
  G.hand = number;
  G.phase = 'place';
  G.record += ` @${piece}`;
  G.deadline = Date.now() + 3600000;
  events.endTurn();
}

function place({ G }, square) {
  const number = squareNumber(square);
  if (G.phase !== 'place' || number < 0 || G.board[number] >= 0) return INVALID_MOVE;
  G.board[number] = G.hand;
  G.hand = -1;
  G.last = number;
  G.closed = [];
  G.phase = G.left.length ? 'give' : 'end';
  G.record += ` ${square}`;
}

function claim({ G, playerID }, line) {
  if (G.last < 0 || G.closed.includes(playerID) || typeof line !== 'string') return INVALID_MOVE;
  G.closed.push(playerID);
  G.record += ` !${line}`;
  if (claimable(G.board, G.last, line)) G.result = seatOf(playerID) === 1 ? '1-0' : '0-1';
}

function pass({ G, events }) {
  if (G.phase !== 'end' && G.phase !== 'reply') return INVALID_MOVE;
  G.record += ' pass';
  if (G.phase === 'reply') {
    G.result = '1/2-1/2';
    return;
  }
  G.phase = 'reply';
  events.endTurn();
}

function resign({ G, playerID }) {
  G.result = seatOf(playerID) === 1 ? '0-1' : '1-0';
}

const Quarto = {
  name: 'quarto',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({
    board: Array(16).fill(-1), left: [...Array(16).keys()], hand: -1, last: -1, phase: 'give', closed: [],
    record: '', deadline: 0, result: null,
  }),
  moves: {
    // A missed line cannot be called after it was taken back: no undo. The server judges alone.
    ...Object.fromEntries(
      Object.entries({ give, place, claim, pass, resign }).map(([name, move]) => [
        name,
        { move, undoable: false, client: false },
      ]),
    ),
  },
  endIf: ({ G }) => (G.result === null ? undefined : { result: G.result }),
};

const server = Server({ games: [Quarto], origins: [Origins.LOCALHOST] });
server.run({ port: { port: 0, host: '127.0.0.1' } }).then(({ appServer }) => {
  console.log(`Listening on http://127.0.0.1:${appServer.address().port}`);
});
