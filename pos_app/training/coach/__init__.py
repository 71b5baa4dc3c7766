"""The coach beside the till: shows the course and passes on what the learner decides. It checks nothing."""
