let game = Game(name: "alice")
game.begin()
game.play("e4")
game.end()
